import { render } from "preact";
import { budgetsApi } from "./api.budgets";
import type { Branding } from "./api.portal";
import { checkoutApi, portalApi } from "./api.portal";
import { Checkout } from "./checkout";
import { wordsIn } from "./messages";
import { Reading, useLoaded } from "./parts";
import { Ended, Portal } from "./portal";
import { readableOn } from "./readable-on";
import { styleSheet } from "./styles";

const kind = location.pathname.startsWith("/checkout") ? "checkout" : "portal";

/** The request for a higher budget that the link opens. */
const requestId = new URLSearchParams(location.search).get("request");

/** Moves the token from the address, and so from the history, to the session storage of the tab. A reload still works. */
function takeToken(): string | null {
	const given = location.hash.slice(1);
	if (given.startsWith(`${kind}-`)) {
		sessionStorage.setItem(`tollgate-${kind}`, given);
		history.replaceState(null, "", location.pathname + location.search);
	}
	return sessionStorage.getItem(`tollgate-${kind}`);
}

function Top({ load, returnUrl }: { readonly load: () => Promise<Branding>; readonly returnUrl: string | null }) {
	const { value } = useLoaded(load, []);
	const { say } = wordsIn();
	if (value?.color) {
		root.style.setProperty("--tollgate-accent", value.color);
		root.style.setProperty("--tollgate-on-accent", readableOn(value.color));
	}
	if (value?.name) document.title = value.name;
	return (
		<header class="top">
			<div>
				<div class="brand">
					{value?.logo && <img src={value.logo} alt="" />}
					<span class="name">{value?.name}</span>
				</div>
				{returnUrl && (
					<a class="button" href={returnUrl} rel="noreferrer">
						{say("back")}
					</a>
				)}
			</div>
		</header>
	);
}

function Page({ token }: { readonly token: string }) {
	const caller = { base: location.origin, token };
	const link = useLoaded(async () => (kind === "portal" ? (await budgetsApi(caller).link()).returnUrl : null), []);
	return (
		<>
			<Top
				load={kind === "portal" ? portalApi(caller).branding : checkoutApi(caller).branding}
				returnUrl={link.value ?? null}
			/>
			<main class="page">
				{kind === "portal" ? (
					<Portal caller={caller} language={null} requestId={requestId} />
				) : (
					<Checkout caller={caller} />
				)}
			</main>
		</>
	);
}

const words = wordsIn();
const root = document.createElement("div");
root.className = "tg";
document.body.append(root);
document.documentElement.lang = words.language;
document.adoptedStyleSheets = [styleSheet()];
const token = takeToken();
render(
	token ? (
		<Page token={token} />
	) : (
		<Reading.Provider value={words}>
			<main class="page">
				<h1>{words.say(kind === "portal" ? "subscriptions" : "checkout")}</h1>
				<Ended />
			</main>
		</Reading.Provider>
	),
	root,
);
