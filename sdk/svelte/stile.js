export { default as Stile } from "./Stile.svelte";
