import { afterAll, afterEach, expect, test } from "bun:test";
import { startStandIn } from "../../../support/providers/stripe/server";
import { consoleOfFile } from "../../of-file";

const standIn = startStandIn({ seed: 31 });
afterAll(() => standIn.stop());

const opened = consoleOfFile({ TOLLGATE_WEBHOOKS_ALLOW_PRIVATE: "1" });
afterEach(() => expect(opened.window.complaints).toEqual([]));

/** The collector and the look-up of the provider's page take seconds. */
const soon = { timeout: 30_000 };

test("connects a provider, saves a card on its page, and charges an open invoice", async () => {
	const { page, complaints } = opened.window;
	const dialog = page.getByRole("dialog");
	const main = page.getByRole("main");
	await page.goto("/console/settings/provider-connections");
	await main.getByText("No provider is connected").waitFor();
	await page.getByRole("button", { name: "Connect a provider" }).click();
	await dialog.getByLabel("Name").fill("Cards");
	await dialog.getByLabel("Secret key").fill("sk_test_wrong");
	await dialog.getByLabel("Address of a stand-in").fill(standIn.url);
	await dialog.getByRole("button", { name: "Connect a provider" }).click();
	await dialog.getByText(/The provider rejects/).waitFor(soon);
	expect(await opened.window.look("connection-refused")).toEqual([]);
	// The browser reports the refusal of the key.
	(complaints as string[]).length = 0;
	await dialog.getByLabel("Secret key").fill(standIn.secretKey);
	await dialog.getByRole("button", { name: "Connect a provider" }).click();
	await main.getByRole("row", { name: /Cards/ }).waitFor(soon);
	expect(await opened.window.look("connections")).toEqual([]);
	expect(await page.content()).not.toContain(standIn.secretKey);

	await page.goto("/console/customers/customer-acme");
	await main.getByRole("button", { name: "Add", exact: true }).click();
	await dialog.getByRole("button", { name: "Open the page" }).click();
	const link = dialog.getByRole("link", { name: "Open the page" });
	const address = (await link.getAttribute("href", soon)) ?? "";
	expect(await opened.window.look("payment-method-page")).toEqual([]);
	const provider = await opened.window.context.newPage();
	await provider.goto(address);
	await provider.getByRole("button", { name: "Save" }).click();
	await provider.close();
	await page.keyboard.press("Escape");
	await main.getByRole("row", { name: /visa ·· 4242.*Default/ }).waitFor(soon);
	expect(await opened.window.look("payment-methods")).toEqual([]);

	await page.goto("/console/customers/customer-acme/invoices");
	await main
		.getByRole("row", { name: /Open|Overdue/ })
		.first()
		.getByRole("link")
		.first()
		.click();
	await main.getByRole("button", { name: "Charge now" }).click();
	await dialog.getByLabel("Payment method").selectOption({ label: "visa ·· 4242" });
	expect(await opened.window.look("charge-now")).toEqual([]);
	await dialog.getByRole("button", { name: "Charge now" }).click();
	await main.getByRole("row", { name: /Succeeded/ }).waitFor(soon);
	await main.getByText("Paid", { exact: true }).first().waitFor();
	await main.getByRole("row", { name: /Succeeded/ }).click();
	await dialog.getByText("By hand").waitFor();
	expect(await opened.window.look("attempt")).toEqual([]);
	await page.keyboard.press("Escape");

	await page.goto("/console/customers/customer-acme");
	await main.getByRole("button", { name: "Remove" }).click();
	await dialog.getByRole("button", { name: "Remove" }).click();
	await main.getByText("No payment method is saved").waitFor();
}, 120_000);
