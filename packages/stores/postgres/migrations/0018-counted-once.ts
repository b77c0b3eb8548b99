/**
 * The number of the last batch of counts of each process (`writer`), written in the transaction
 * that counts: so a batch that is sent again, because its outcome was unknown, is recognised. This
 * row is written first: while the same batch is still under way, its copy waits for that row, and
 * then finds the batch counted. Nodes of the version before still call `count_1`.
 */
export const COUNTED_ONCE = `
CREATE TABLE count_writers (
  writer TEXT COLLATE "C" PRIMARY KEY,
  number BIGINT NOT NULL,
  at TIMESTAMPTZ NOT NULL
) WITH (fillfactor = 10);

CREATE FUNCTION count_2(of_writer TEXT, of_number BIGINT, counted JSONB, metrics JSONB) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO count_writers AS w (writer, number, at) VALUES (of_writer, of_number, clock_timestamp())
    ON CONFLICT (writer) DO UPDATE SET number = excluded.number, at = excluded.at WHERE w.number < excluded.number;
  IF FOUND THEN PERFORM count_1(counted, metrics); END IF;
END $$;
`;
