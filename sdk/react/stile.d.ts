import type { StileHandle, StileHandlers, StileOptions } from "@stile/widget/component";
import type { ForwardRefExoticComponent, RefAttributes } from "react";

export type { StileHandle, StileHandlers, StileOptions };

/** The widget. */
export declare const Stile: ForwardRefExoticComponent<
  StileOptions & StileHandlers & RefAttributes<StileHandle>
>;
