import type { ComponentChildren } from "preact";

/** One column; `label` is above it, and before each value when the table is stacked. */
export type TableColumn<Row> = {
  readonly key: string;
  readonly label: string;
  readonly align?: "start" | "end";
  readonly render: (row: Row) => ComponentChildren;
};

type DataTableProps<Row> = {
  /** Describes the table's content, for screen readers only. */
  readonly caption: string;
  /** Whether it may outgrow its box, which then scrolls and must be reachable by keyboard. */
  readonly isLong?: boolean;
  /** Whether it has so many columns that it needs a window of 960 px. */
  readonly isWide?: boolean;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
};

/** A table whose first column names the row. In a narrow window each row becomes a small list. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, isLong = false, isWide = false, columns, rows, rowKey } = props;
  return (
    <div class="table-box" {...(isLong && { role: "region", "aria-label": caption, tabIndex: 0 })}>
      <table class={isWide ? "data-table wide" : "data-table"}>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" class={column.align}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column, index) => (
                <Cell key={column.key} column={column} isHeading={index === 0}>
                  {column.render(row)}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type CellProps<Row> = {
  readonly column: TableColumn<Row>;
  readonly isHeading: boolean;
  readonly children: ComponentChildren;
};

function Cell<Row>(props: CellProps<Row>) {
  return props.isHeading ? (
    <th scope="row" data-label={props.column.label} class={props.column.align}>
      {props.children}
    </th>
  ) : (
    <td data-label={props.column.label} class={props.column.align}>
      {props.children}
    </td>
  );
}
