// What is needed where something goes wrong: fetched by whichever script hears of it first, with its own copy of what it shares with them.
import { errorTextOf, errorTexts, tellError } from "./languages/error-texts.ts";
import { readRefusal } from "./service/refusal.ts";

/** What reads a refusal of the service, and what tells an error that is not told at once. */
export const trouble = { errorTexts, readRefusal, tellError };

/** @public What the stile.js of the version before asks `error-texts.js` for, which is this script by its former name. */
export { errorTextOf };
