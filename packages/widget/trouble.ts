// Code for errors: loaded by whichever script first meets an error, with its own copy of code
// shared with the others.
import { errorTextOf, errorTexts, showError } from "./languages/error-texts.ts";
import { readRefusal } from "./service/refusal.ts";

/** Reads refusals of the service, and shows errors that have no built-in text. */
export const trouble = { errorTexts, readRefusal, showError };

/**
 * @public A `stile.js` of the previous version requests this from `error-texts.js`, the former name
 * of this script.
 */
export { errorTextOf };
