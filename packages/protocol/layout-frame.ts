/**
 * Style of an iframe that lays out as visitors' solver frame does, unseen: 256 px each way inside the border that browsers give it.
 * A few scenes tell how large their window is, so whoever is asked for their answers has to have the same one (proof of browser).
 */
export const LAYOUT_FRAME_STYLE =
  "position:fixed;inset:0;box-sizing:border-box;width:260px;height:260px;visibility:hidden";
