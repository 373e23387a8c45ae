import type Stripe from "stripe";
import type { Account } from "./account";
import { testMethods } from "./cards";
import { getSession, type PageStep, submitAuthentication, submitPage } from "./checkout";

const escaped = (text: string): string =>
	text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign] ?? sign);

const html = (title: string, body: string): Response =>
	new Response(
		`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title><style>body{font:16px/1.5 system-ui;max-width:36rem;margin:3rem auto;padding:0 1rem}
input,button{font:inherit;padding:.5rem;width:100%;box-sizing:border-box;margin:.25rem 0}code{user-select:all}
[role=alert]{color:#a00}td{padding:.1rem .75rem .1rem 0}</style>${body}`,
		{ headers: { "content-type": "text/html; charset=utf-8" } },
	);

/** The number of decimals is that of the page only. */
const shown = (amount: number, currency: string): string =>
	new Intl.NumberFormat("en", { style: "currency", currency }).format(amount / 100);

function describe({ kind, decline, authentication, dispute, refund, debit }: (typeof testMethods)[number]): string {
	const parts = [
		decline && `declined: ${decline.declineCode ?? decline.code}`,
		authentication && `authentication: ${authentication}`,
		dispute && `succeeds, then disputed: ${dispute}`,
		refund && `refund: ${refund}`,
		kind === "sepa_debit" && `direct debit: ${debit ?? ""}`,
	].filter((part) => typeof part === "string");
	return parts.length === 0 ? "succeeds" : parts.join("; ");
}

const numbers = (): string =>
	`<details><summary>Test numbers</summary><table>${testMethods
		.map((method) => `<tr><td><code>${method.number}</code></td><td>${escaped(describe(method))}</td></tr>`)
		.join("")}</table></details>`;

function sessionPage({ objects }: Account, session: Stripe.Checkout.Session, message = ""): Response {
	if (session.status !== "open") return html("Stand-in", `<h1>This page is no longer valid</h1>`);
	const isPayment = session.mode === "payment";
	const title = isPayment ? `Pay ${shown(session.amount_total ?? 0, session.currency ?? "")}` : "Save a payment method";
	return html(
		title,
		`<h1>${escaped(title)}</h1><p>${escaped(objects.names.get(session.id) ?? "")}</p>
${message === "" ? "" : `<p role="alert">${escaped(message)}</p>`}
<form method="post"><label>Card number or IBAN <input name="number" autocomplete="off" value="4242424242424242" required></label>
<button type="submit">${isPayment ? "Pay" : "Save"}</button></form>
<p><a href="${escaped(session.cancel_url ?? "#")}">Back</a></p>${numbers()}
<p>This is the stand-in of a provider for tests. It moves no money.</p>`,
	);
}

const authenticationPage = (): Response =>
	html(
		"Authentication",
		`<h1>3-D Secure</h1><p>Your bank asks: is this you?</p><form method="post">
<button name="outcome" value="complete">Complete authentication</button>
<button name="outcome" value="fail">Fail authentication</button></form>`,
	);

const redirect = (url: string): Response => new Response(null, { status: 303, headers: { location: url } });

/** Serves the pages on which a person saves a method, pays and authenticates; undefined for other paths. */
export async function servePage(account: Account, request: Request, url: URL): Promise<Response | undefined> {
	const [, kind, second, third] = url.pathname.split("/");
	if (kind === "c" && second === "pay" && third !== undefined) {
		const session = account.objects.sessions.get(third);
		if (!session) return html("Stand-in", "<h1>Unknown page</h1>");
		if (request.method !== "POST") return sessionPage(account, session);
		if (session.status !== "open") return sessionPage(account, session);
		const number = (await request.formData()).get("number");
		return follow(account, session, submitPage(account, session, String(number)));
	}
	if (kind !== "3ds" || second === undefined) return undefined;
	if (request.method !== "POST") return authenticationPage();
	const isDone = (await request.formData()).get("outcome") === "complete";
	const sessionId = url.searchParams.get("session") ?? "";
	const step = submitAuthentication(account, second, sessionId, isDone);
	return follow(account, sessionId === "" ? undefined : getSession(account, sessionId), step);
}

function follow(account: Account, session: Stripe.Checkout.Session | undefined, step: PageStep): Response {
	if (step.to !== "again") return redirect(step.url);
	return session
		? sessionPage(account, session, step.message)
		: html("Stand-in", `<p role="alert">${step.message}</p>`);
}
