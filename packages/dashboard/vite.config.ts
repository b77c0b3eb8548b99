import { join } from "node:path";
import { build } from "vite";

const root = import.meta.dirname;

/**
 * Where the built dashboard is: index.html, and what it loads in assets/, with a digest in each
 * name.
 */
export const DASHBOARD_DIST = join(root, "dist");

/**
 * Files that are loaded together, apart from the entry: what every page needs, and a chunk for each
 * feature when one of its pages is first shown, so that no page takes more than 36 KB of scripts
 * (gzip). Left alone, the bundler would make some forty chunks.
 */
const CHUNKS = [
  {
    name: "common",
    test: /node_modules|preload-helper|protocol\/(?:roles|reason-codes|site-settings)|dashboard\/ui\/(?!charts|dialog|prove-dialog|passkey|code-block)|charts\/(?:sparkline|scale)|api\.ts|site-shell/,
    priority: 2,
  },
  // Loaded for a press, or for a call that needs a proof. Pages with figures do not need these.
  {
    name: "dialogs",
    test: /dashboard\/ui\/(?:dialog|prove-dialog|passkey|code-block)/,
    priority: 2,
  },
  // Only needed if there is a wave.
  { name: "waves", test: /features\/statistics\/wave|protocol\/dashboard-waves/, priority: 2 },
  // Needed on the system page, and to continue an action that a reload interrupted. The meanings of
  // flags, for pages of figures and for the list of decisions.
  {
    name: "flags",
    test: /features\/statistics\/(?:empty-states|text|range|zone)|protocol\/risk/,
    priority: 2,
  },
  { name: "decisions", test: /features\/statistics\/decision/, priority: 1.5 },
  { name: "statistics", test: /features\/statistics|ui\/charts/, priority: 1 },
  // The settings use the audit log's names of fields.
  {
    name: "account-words",
    test: /features\/account\/(?:text|audit\/audit-words|your-account\/(?:code-field|password-field|own-proof|recovery))/,
    priority: 2,
  },
  // The texts about passwords of a link's page and of one's own account.
  { name: "link-words", test: /features\/account\/sign-in\/link-text/, priority: 2 },
  { name: "sign-in", test: /features\/account\/sign-in\//, priority: 1.5 },
  { name: "members", test: /features\/account\/(?:members|audit|system)\//, priority: 1.5 },
  { name: "install", test: /features\/sites\/install\//, priority: 2 },
  // Needed when a site is created, and when one is changed: the two share no more than this.
  {
    name: "site-fields",
    test: /features\/sites\/settings\/(?:choice|domains|options|leave-guard)/,
    priority: 1.8,
  },
  { name: "settings", test: /features\/sites\/settings\//, priority: 1.5 },
  { name: "sites", test: /features\/sites/, priority: 1 },
  { name: "account", test: /features\/account/, priority: 1 },
];

/** Builds the dashboard into dist/, minified; prints only warnings. */
export async function buildDashboard(): Promise<void> {
  await build({
    configFile: false,
    root,
    base: "/dashboard/",
    logLevel: "warn",
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      outDir: DASHBOARD_DIST,
      emptyOutDir: true,
      target: "es2022",
      modulePreload: false,
      cssCodeSplit: false,
      // Nothing is inlined as a data: address, which the policy of the pages refuses.
      assetsInlineLimit: 0,
      rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
    },
  });
}
