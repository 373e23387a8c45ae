const text = `
body:has(> .tg) { margin: 0; min-height: 100vh; background: light-dark(#f4f7f7, #0c1112); }
.tg { color-scheme: light dark; } :host, .tg { display: block; accent-color: var(--accent); --accent: var(--tollgate-accent, #24595f); --on-accent: var(--tollgate-on-accent, #fff);
--line: var(--tollgate-line, light-dark(#d3dadb, #3a4547)); --soft: var(--tollgate-soft, light-dark(#f4f7f7, #1b2224)); --ground: var(--tollgate-ground, light-dark(#fff, #12181a));
--ink: var(--tollgate-ink, light-dark(#182224, #e8eeee)); --quiet: light-dark(#4d5b5e, #a9b7b9); --bad: light-dark(#a3211b, #ff9d95); --radius: var(--tollgate-radius, .625rem);
font: var(--tollgate-font, 1rem/1.5 system-ui, sans-serif); color: var(--ink); }
* { box-sizing: border-box; } h1, h2, h3, p, ul, dl, dd, table { margin: 0; padding: 0; } ul { list-style: none; }
h1 { font-size: 1.5rem; line-height: 1.25; } h2 { font-size: 1.15rem; } h3 { font-size: 1.05rem; }
button, .button, input, select { font: inherit; border-radius: .45rem; min-height: 2.75rem; padding: .45rem .9rem; border: 1px solid var(--line); background: var(--ground); color: var(--ink); }
button, .button { cursor: pointer; font-weight: 550; text-decoration: none; display: inline-flex; align-items: center; justify-content: center; }
button.main, .button.main { background: var(--accent); border-color: transparent; color: var(--on-accent); }
button.bad { background: light-dark(#a3211b, #b3352e); color: #fff; border-color: transparent; } button[disabled] { opacity: .6; cursor: default; }
button[aria-pressed=true] { background: var(--accent); color: var(--on-accent); border-color: transparent; }
:focus-visible { outline: 3px solid light-dark(#1668c7, #8ec5ff); outline-offset: 2px; }
.page { max-width: 62rem; margin: 0 auto; padding: 1.25rem 1.25rem 4rem; display: grid; gap: 1.5rem; }
.top { border-top: .3rem solid var(--accent); background: var(--ground); } .top > div { max-width: 62rem; margin: 0 auto; padding: 1rem 1.25rem; display: flex; gap: 1rem; align-items: center; justify-content: space-between; flex-wrap: wrap; }
.brand { display: flex; gap: .75rem; align-items: center; font-weight: 650; } .brand img { max-height: 2.5rem; max-width: 12rem; }
.card { background: var(--ground); border: 1px solid var(--line); border-radius: var(--radius); padding: 1.25rem; display: grid; gap: .9rem; min-width: 0; }
.stack { display: grid; gap: .9rem; } .row { display: flex; gap: .75rem; align-items: center; justify-content: space-between; flex-wrap: wrap; } .row.start { justify-content: flex-start; } .row:empty { display: none; }
.two { display: grid; gap: 1.5rem; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); align-items: start; } .grid { display: grid; gap: .9rem; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); }
.quiet { color: var(--quiet); font-size: .925rem; } .price { font-size: 1.5rem; font-weight: 650; } .bad { color: var(--bad); } .tag { border: 1px solid var(--line); border-radius: 1rem; padding: .05rem .6rem; font-size: .85rem; }
.note { border-inline-start: .25rem solid var(--accent); background: var(--soft); padding: .6rem .9rem; border-radius: .3rem; overflow-wrap: anywhere; } .note.wrong { border-color: var(--bad); }
label { display: grid; gap: .25rem; font-weight: 550; font-size: .925rem; } label input, label select { font-weight: 400; font-size: 1rem; width: 100%; } [aria-invalid=true] { border-color: var(--bad); }
meter { width: 100%; height: .7rem; } table { width: 100%; border-collapse: collapse; } th, td { text-align: start; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: middle; } :is(th, td):last-child { padding-inline-end: 0; } tr:last-child td { border: 0; } th { font-size: .85rem; color: var(--quiet); font-weight: 550; } .end { text-align: end; }
dl.sums { display: grid; grid-template-columns: 1fr auto; row-gap: .35rem; } dl.sums dd { text-align: end; padding-inline-start: 1rem; } dl.sums .total { font-weight: 650; border-top: 1px solid var(--line); padding-top: .35rem; }
dialog { color: var(--ink); background: var(--ground); border: 1px solid var(--line); border-radius: var(--radius); padding: 1.5rem; width: min(40rem, calc(100vw - 2rem)); max-height: calc(100dvh - 2rem); } dialog::backdrop { background: #0008; }
fieldset { border: 0; margin: 0; padding: 0; min-width: 0; display: grid; gap: .5rem; } legend { font-weight: 600; padding: 0; margin-bottom: .5rem; }
.option { display: flex; gap: .75rem; align-items: center; border: 1px solid var(--line); border-radius: .5rem; padding: .7rem .9rem; font-weight: 400; } .option input { width: auto; min-height: 0; } .option:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); } .option span:nth-child(2) { flex: 1; }
.plans { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); } .plans li.card { display: flex; flex-direction: column; } .plans li.card > button { margin-top: auto; } .brings { display: grid; gap: .3rem; } .brings li::before { content: "✓ "; color: var(--quiet); } .periods { display: inline-flex; gap: .25rem; }
.name { overflow-wrap: anywhere; } address { font-style: normal; }
@media (max-width: 44rem) { .two { grid-template-columns: minmax(0, 1fr); } .wide { display: none; } .card { padding: 1rem; } }
@media (prefers-reduced-motion: no-preference) { dialog { animation: in .12s; } @keyframes in { from { opacity: 0; } } }
`;

let sheet: CSSStyleSheet | undefined;

/** A constructed style sheet works on pages whose policy forbids inline styles. */
export function styleSheet(): CSSStyleSheet {
	if (!sheet) {
		sheet = new CSSStyleSheet();
		sheet.replaceSync(text);
	}
	return sheet;
}
