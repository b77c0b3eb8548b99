/** Blank modules around a QR code, without which readers don't find it (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/**
 * An SVG path that fills the dark modules of a QR code, one rectangle per run, and the side of its
 * square drawing in modules.
 */
export function toQrPath(rows: readonly string[]): {
  readonly path: string;
  readonly side: number;
} {
  const runs = rows.flatMap((row, y) =>
    [...row.matchAll(/1+/g)].map(
      ({ index, 0: run }) =>
        `M${index + QUIET_ZONE} ${y + QUIET_ZONE}h${run.length}v1h-${run.length}z`,
    ),
  );
  return { path: runs.join(""), side: rows.length + 2 * QUIET_ZONE };
}
