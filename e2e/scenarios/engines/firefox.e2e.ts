import { startFirefox } from "@stile/testkit/browser/engines/firefox";
import { testCoreJourneys } from "../../journeys/in-another-engine.ts";

testCoreJourneys(startFirefox);
