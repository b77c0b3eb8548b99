import type { StileHandle, StileHandlers, StileOptions } from "@stile/widget/component";
import type { Component } from "svelte";

export type { StileHandle, StileHandlers, StileOptions };

/** The widget. `bind:this` has `execute` and `reset`. */
export declare const Stile: Component<StileOptions & StileHandlers, StileHandle>;
