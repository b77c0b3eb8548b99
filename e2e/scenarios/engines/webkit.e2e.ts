import { startWebKit } from "@stile/testkit/browser/engines/webkit";
import { testCoreJourneys } from "../../journeys/in-another-engine.ts";

testCoreJourneys(startWebKit);
