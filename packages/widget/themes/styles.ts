/** Every pair of text and ground below has a contrast of at least 4.5, every boundary of the control at least 3 (WCAG 1.4.3, 1.4.11). */
const LIGHT =
  "--ground:#fff;--ink:#1b2a22;--quiet:#56635c;--edge:#d3dcd6;--control:#6b7871;--accent:#1c7548;--on-accent:#fff;--error:#ad241c;color-scheme:light";
const DARK =
  "--ground:#1b2320;--ink:#e8efeb;--quiet:#a5b2ab;--edge:#3a463f;--control:#8c9a93;--accent:#62d49c;--on-accent:#0d1f16;--error:#ff9f96;color-scheme:dark";
const CONTRAST =
  "--ground:#000;--ink:#fff;--quiet:#fff;--edge:#fff;--control:#fff;--accent:#7dffb4;--on-accent:#000;--error:#ffb4ab;color-scheme:dark";

/** In forced colours the visitor's own palette holds; SVG shapes don't follow it by themselves. */
const FORCED =
  "--ground:Canvas;--ink:CanvasText;--quiet:CanvasText;--edge:CanvasText;--control:CanvasText;--accent:Highlight;--on-accent:HighlightText;--error:CanvasText";

/** The widget's style sheet; it goes into the shadow root as a constructed sheet, which a page's style-src does not touch. */
export const STYLES = `
:host{display:block;inline-size:min(300px,100%)}
:host([size=flexible]){inline-size:100%}
*{box-sizing:border-box}
.box{${LIGHT};display:flex;flex-wrap:wrap;align-items:center;min-block-size:66px;padding:4px;border:1px solid var(--edge);border-radius:12px;
background:var(--ground);color:var(--ink);font:400 .9375rem/1.35 system-ui,sans-serif;text-align:start}
:host([hidden]),[hidden]{display:none}
@media (prefers-color-scheme:dark){.box[data-theme=auto]{${DARK}}}
.box[data-theme=dark]{${DARK}}
.box[data-theme=contrast]{${CONTRAST};border-width:2px}
@media (forced-colors:active){.box[data-theme]{${FORCED}}}
button{flex:1;display:flex;align-items:center;gap:12px;min-block-size:56px;padding:6px 10px;margin:0;border:0;border-radius:8px;
background:none;color:inherit;font:inherit;text-align:start;cursor:pointer}
[aria-disabled=true],:disabled{cursor:default}
:disabled{opacity:.6}
button:focus-visible{outline:3px solid var(--accent);outline-offset:-1px}
.sign{flex:none;inline-size:28px;color:var(--control)}
.sign *{display:none;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
[data-sign=ask] .ask,[data-sign=busy] .busy,[data-sign=done] .done,[data-sign=wrong] .wrong{display:inline}
button:hover .sign,[data-sign=busy] .arc,[data-sign=done] .sign{color:var(--accent)}
[data-sign=wrong] :is(.sign,.status){color:var(--error)}
[data-sign=busy] .ring{opacity:.35}
.sign .arc{stroke-width:3;transform-origin:14px 14px}
.sign .disc{fill:currentColor}
.sign .tick{stroke:var(--on-accent);stroke-dasharray:20}
.label{overflow-wrap:break-word}
.brand{display:grid;justify-items:center;gap:2px;padding:0 10px;color:var(--quiet);font-size:.6875rem}
.brand svg{inline-size:22px;fill:none;stroke:currentColor;stroke-width:1.6;stroke-linecap:round}
.status{flex:1 0 100%;margin:0;padding:2px 10px 8px;font-size:.8125rem;overflow-wrap:anywhere}
.id{display:block;margin-top:4px;color:var(--quiet)}
.unseen{position:absolute;inline-size:1px;block-size:1px;padding:0;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media (prefers-reduced-motion:no-preference){
.sign .arc{transition:stroke-dashoffset .2s;animation:turn 1.4s linear infinite}
.sign .tick{animation:draw .25s ease-out}
}
@keyframes turn{to{transform:rotate(1turn)}}
@keyframes draw{from{stroke-dashoffset:20}}
`;
