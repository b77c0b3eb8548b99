import type { StileHandle, StileHandlers, StileOptions } from "@stile/widget/component";
import type { DefineComponent } from "vue";

export type { StileHandle, StileHandlers, StileOptions };

/** The widget. Events: `@verify`, `@expire`, `@error`. A template ref has `execute` and `reset`. */
export declare const Stile: DefineComponent<StileOptions & StileHandlers, StileHandle>;
