/** All text and signs have a contrast of at least 4.5 to their background (WCAG 1.4.3, 1.4.11). */
const LIGHT =
  "--ground:var(--stile-background,#fff);--ink:var(--stile-text,#1b2a22);--quiet:var(--stile-text,#56635c);--edge:var(--stile-border,#d3dcd6);--accent:var(--stile-accent,#1c7548);--error:#ad241c;color-scheme:light";
const DARK =
  "--ground:var(--stile-background,#1b2320);--ink:var(--stile-text,#e8efeb);--quiet:var(--stile-text,#a5b2ab);--edge:var(--stile-border,#3a463f);--accent:var(--stile-accent,#62d49c);--error:#ff9f96;color-scheme:dark";
/**
 * Not for visitors who need more contrast than the page's colours may have; the page's shape and
 * font still apply.
 */
const CONTRAST =
  "--ground:#000;--ink:#fff;--quiet:#fff;--edge:#fff;--accent:#7dffb4;--error:#ffb4ab;color-scheme:dark";

/**
 * In forced colours the visitor's own palette applies; SVG shapes don't follow it automatically.
 */
const FORCED =
  "--ground:Canvas;--ink:CanvasText;--quiet:CanvasText;--edge:CanvasText;--accent:Highlight;--error:CanvasText";

/**
 * The widget's style sheet. The widget keeps its width in a column that is sized by its content,
 * and shrinks in a narrower one, which a plain width would overflow. The sheet is a constructed one
 * in the shadow root, which a page's style-src does not affect.
 */
export const STYLES = `:host{--width:max(300px,18.75rem);display:grid;grid-template-columns:minmax(auto,var(--width));inline-size:min(var(--width),100%)}
:host(:is([size=flexible],[data-size=flexible])){--width:100%}
:host(:is([size=compact],[data-size=compact])){--width:max(150px,9.375rem)}
*{box-sizing:border-box}
.box{${LIGHT};position:relative;display:flex;flex-wrap:wrap;align-items:center;min-block-size:66px;padding:4px;
border:1px solid var(--edge);border-radius:var(--stile-radius,12px);
background:var(--ground);color:var(--ink);
font:max(15px,.9375rem)/1.35 var(--stile-font,system-ui,sans-serif);text-align:start;overflow-wrap:anywhere}
.status{padding:2px 10px 8px}
.status,.contact{display:block;flex:1 0 100%;font-size:.8667em}
::slotted(*){display:block;padding:0 10px 8px;color:inherit;line-height:1.9}
:host([hidden]),[hidden]{display:none}
@media (prefers-color-scheme:dark){.box[data-theme=auto]{${DARK}}}
.box[data-theme=dark]{${DARK}}
.box[data-theme=contrast]{${CONTRAST};border-width:2px;padding:3px}
@media (forced-colors:active){.box[data-theme]{${FORCED}}}
button{flex:1;display:flex;align-items:center;gap:12px;min-block-size:56px;padding:6px 10px;margin:0;border:0;
border-radius:calc(var(--stile-radius,12px) - 4px);background:none;color:inherit;font:inherit;text-align:start;cursor:pointer}
[aria-disabled=true],:disabled{cursor:default}
:disabled{opacity:.6}
button:focus-visible{outline:3px solid var(--accent);outline-offset:-1px}
.sign{flex:none;inline-size:1.8667em;color:var(--quiet)}
svg{fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.sign *{display:none}
[data-sign=ask] .ask,[data-sign=busy] .busy,[data-sign=done] .done,[data-sign=wrong] .wrong{display:inline}
button:hover .sign,[data-sign=busy] .arc,[data-sign=done] .sign{color:var(--accent)}
[data-sign=wrong] :is(.sign,.status){color:var(--error)}
[data-sign=busy] .ring{opacity:.35}
.arc{stroke-width:3;stroke-dasharray:69.1;transform-origin:50%}
.disc{fill:currentColor;stroke-width:4}
.tick{stroke:var(--ground);stroke-dasharray:20}
button>*,.brand{pointer-events:none}
.brand{color:var(--quiet);display:grid;justify-items:center;padding:0 10px;font-size:.7333em}
.brand svg{stroke-width:1.6;inline-size:2em}
:host(:is([size=compact],[data-size=compact])) .box{align-items:stretch;min-block-size:140px}
:host(:is([size=compact],[data-size=compact])) button{flex-direction:column;align-items:start;justify-content:space-between;gap:.5em}
:host(:is([size=compact],[data-size=compact])) .brand{position:absolute;inset-block-start:6px;inset-inline-end:0}
.id{color:var(--quiet);display:block;margin-top:4px}
.unseen{position:absolute;inline-size:1px;block-size:1px;padding:0;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.unseen a{visibility:hidden}
@media (prefers-reduced-motion:no-preference){
.arc{transition:stroke-dashoffset .2s;animation:turn 1.4s linear infinite}
.tick{animation:draw .25s ease-out}}
@keyframes turn{to{rotate:1turn}}
@keyframes draw{from{stroke-dashoffset:20}}`;
