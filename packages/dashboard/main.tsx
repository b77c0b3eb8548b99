import { render } from "preact";
import { App } from "./app.tsx";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/frame.css";
import "./styles/controls.css";
import "./styles/blocks.css";
import "./styles/tables.css";
import "./styles/charts.css";
import "./styles/statistics.css";
import "./styles/sites.css";
import "./styles/account.css";

const root = document.getElementById("app");
if (root !== null) render(<App />, root);
