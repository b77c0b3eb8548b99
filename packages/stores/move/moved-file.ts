/** Where a SQLite database lies after it was moved to PostgreSQL: no start takes it from there. */
export const movedFile = (file: string): string => `${file}.moved`;
