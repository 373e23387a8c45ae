import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Console, openConsole } from "../console/browser";
import { ok } from "../support/process";
import { startStandIn } from "../support/providers/stripe/server";

const standIn = startStandIn({ seed: 43 });
let ours: Console;
beforeAll(async () => {
	ours = await openConsole({ TOLLGATE_WEBHOOKS_ALLOW_PRIVATE: "1" });
	const connection = {
		kind: "STRIPE",
		name: "Cards",
		mode: "TEST",
		secretKey: standIn.secretKey,
		baseUrl: standIn.url,
	};
	await ok(ours.server, "POST", "/provider-connections", connection);
}, 60_000);
afterAll(async () => {
	await ours.close();
	standIn.stop();
});

const soon = { timeout: 30_000 };

test("a customer saves a card on the provider's page, pays an open invoice, and removes the card", async () => {
	const window = await ours.open({ isSignedIn: false });
	const { page } = window;
	const session = (await ok(ours.server, "POST", "/customers/customer-acme/portal-sessions", {})) as { url: string };
	await page.goto(session.url);
	await page.getByText("You have saved no payment method.").waitFor(soon);
	expect(await page.getByRole("button", { name: "Pay now" }).count()).toBe(0);
	await page.getByRole("button", { name: "Add a payment method" }).click();
	await page.getByRole("button", { name: "Save" }).click(soon);
	await page.getByText("visa ·· 4242").waitFor(soon);
	expect(await window.look("portal-methods")).toEqual([]);
	const pay = page.getByRole("button", { name: /^Pay now: INV-/ });
	const open = await pay.count();
	await pay.first().click();
	await page.getByText(/is being processed/).waitFor();
	expect(await window.look("portal-paying")).toEqual([]);
	await page.getByText(/is being processed/).waitFor({ state: "detached", ...soon });
	await pay.nth(open - 1).waitFor({ state: "detached", ...soon });
	await page.getByRole("button", { name: "Remove" }).click();
	await page.getByText("You have saved no payment method.").waitFor();
	// The page of the stand-in has no icon.
	expect(window.complaints.filter((one) => !one.includes("/favicon.ico"))).toEqual([]);
	await window.context.close();
}, 120_000);
