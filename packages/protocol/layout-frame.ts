/**
 * Style of an invisible iframe that lays out as a visitor's solver frame does: 256 px each way inside the border that
 * browsers add. A few scenes depend on their window's size, so browsers that bake answers need the same one (proof of
 * browser).
 */
export const LAYOUT_FRAME_STYLE =
  "position:fixed;inset:0;box-sizing:border-box;width:260px;height:260px;visibility:hidden";
