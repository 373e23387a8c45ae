import { afterEach, expect, test } from "bun:test";
import { consoleOfFile } from "../of-file";

const opened = consoleOfFile();
/** The browser also logs the requests that the API rejects. */
const complaints = () => opened.window.complaints.filter((text) => !/\/billing\/items|\/contracts\)$/.test(text));
afterEach(() => expect(complaints()).toEqual([]));

test("edits the lines of a draft, previews and publishes it, and amends it", async () => {
	const { page } = opened.window;
	const dialog = page.getByRole("dialog");
	const lines = page.getByRole("region", { name: "Lines" });
	await page.goto("/console/contracts/contract-wayne");
	await lines.getByRole("row", { name: /Committed seats 60 × 0–50: US\$10\.00, from 50: US\$9\.00/ }).waitFor();
	expect(await opened.window.look("contract-draft")).toEqual([]);

	await page.getByRole("button", { name: "Add line" }).click();
	await dialog.getByRole("button", { name: "Create" }).click();
	await dialog.getByText("Required").waitFor();
	await dialog.getByLabel("Name", { exact: true }).fill("Onboarding");
	await dialog.getByLabel("Model").selectOption("tiered");
	await dialog.getByLabel("Committed").fill("20");
	await dialog.getByLabel("Up to").fill("10");
	await dialog.getByLabel("Price", { exact: true }).fill("7");
	await dialog.getByRole("button", { name: "Add tier" }).click();
	await dialog.getByLabel("From").last().fill("5");
	await dialog.getByLabel("Price", { exact: true }).last().fill("6");
	await dialog.getByLabel("Net terms").fill("14");
	await dialog.getByRole("button", { name: "Create" }).click();
	// The error of the API is shown at the field that it names.
	await dialog
		.getByText(/tiers may not overlap/)
		.first()
		.waitFor();
	expect(await dialog.getByLabel("From").last().getAttribute("aria-invalid")).toBe("true");
	expect(await opened.window.look("contract-line-new")).toEqual([]);
	await dialog.getByLabel("From").last().fill("10");
	await dialog.getByRole("button", { name: "Create" }).click();
	await lines.getByRole("row", { name: /Onboarding 20 × 0–10: US\$7\.00, from 10: US\$6\.00/ }).waitFor();

	await lines.getByRole("button", { name: "Platform fee" }).click();
	await dialog.getByLabel("Price", { exact: true }).fill("15000");
	expect(await opened.window.look("contract-line-prices")).toEqual([]);
	await dialog.getByRole("button", { name: "Save" }).click();
	await lines.getByRole("row", { name: /Platform fee US\$15,000\.00/ }).waitFor();
	await page.getByRole("region", { name: "Invoice schedule" }).getByText("US$15,").first().waitFor();

	await lines
		.getByRole("row", { name: /Onboarding/ })
		.getByRole("button", { name: "Remove" })
		.click();
	await dialog.getByText(/removed from the draft/).waitFor();
	await dialog.getByRole("button", { name: "Remove" }).click();
	await lines.getByRole("row", { name: /Onboarding/ }).waitFor({ state: "detached" });

	await page.getByRole("button", { name: "Publish" }).click();
	await dialog.getByRole("row", { name: /Platform fee Added US\$15,000\.00/ }).waitFor();
	expect(await opened.window.look("contract-publish")).toEqual([]);
	await dialog.getByRole("button", { name: "Publish" }).click();
	await page.getByRole("button", { name: "Amend" }).waitFor();
	expect(await page.getByRole("button", { name: "Add line" }).count()).toBe(0);

	await page.getByRole("button", { name: "Amend" }).click();
	await dialog.getByText(/issues no invoice of this contract until/).waitFor();
	await dialog.getByRole("button", { name: "Amend" }).click();
	await page.getByText("An amendment is open").waitFor();
	await lines.getByRole("button", { name: "Committed seats" }).click();
	await dialog.getByLabel("Price", { exact: true }).last().fill("8");
	await dialog.getByRole("button", { name: "Save" }).click();
	await lines.getByRole("row", { name: /from 50: US\$8\.00/ }).waitFor();
	expect(await opened.window.look("contract-amending")).toEqual([]);
	await page.getByRole("button", { name: "Publish amendment" }).click();
	await dialog.getByRole("row", { name: /Committed seats Changed/ }).waitFor();
	await dialog.getByRole("row", { name: /Platform fee Unchanged/ }).waitFor();
	expect(await opened.window.look("contract-amendment")).toEqual([]);
	await dialog.getByRole("button", { name: "Publish amendment" }).click();
	await page.getByText("An amendment is open").waitFor({ state: "detached" });
	await lines.getByText(/from 50: US\$8\.00/).waitFor();
}, 90_000);

test("creates a contract, adds its first line, publishes it and shows its first invoice", async () => {
	const { page } = opened.window;
	const dialog = page.getByRole("dialog");
	const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
	await page.goto("/console/contracts");
	await page.getByRole("button", { name: "New contract" }).click();
	await dialog.getByRole("button", { name: "Create" }).click();
	// Customer, name, ID and end date. The subscription field appears with a customer.
	expect(await dialog.getByText("Required").count()).toBe(4);
	await dialog.getByRole("combobox").fill("umbr");
	await dialog.getByRole("option", { name: /Umbrella SARL/ }).waitFor();
	await page.keyboard.press("Enter");
	const grouped = dialog.getByLabel("Subscription", { exact: true });
	await grouped.selectOption({ label: "Enterprise · subscription-umbrella" });
	await dialog.getByLabel("Name", { exact: true }).fill("Umbrella für 2027");
	const id = dialog.getByLabel("ID", { exact: true });
	expect(await id.inputValue()).toBe("contract-umbrella-fur-2027");
	await dialog.getByLabel("End date").fill(day(-1));
	await dialog.getByRole("button", { name: "Create" }).click();
	// The error of the API is shown at the field that it names.
	await dialog.locator(".field").getByText("'activationEndDate' must be after").waitFor();
	expect(await dialog.getByLabel("End date").getAttribute("aria-invalid")).toBe("true");
	await dialog.getByLabel("End date").fill(day(365));
	await id.fill("contract wayne");
	await dialog.getByRole("button", { name: "Create" }).click();
	await dialog.getByText("wrong format").waitFor();
	expect(await id.getAttribute("aria-invalid")).toBe("true");
	// The API answers an existing ID with that contract; the form reports it.
	await id.fill("contract-wayne");
	await dialog.getByRole("button", { name: "Create" }).click();
	await dialog.locator(".field").getByText("Another contract has this id.").waitFor();
	expect(await opened.window.look("contract-new")).toEqual([]);
	await id.fill("contract-umbrella-fur-2027");
	await dialog.getByRole("button", { name: "Create" }).click();

	await page.waitForURL(/\/console\/contracts\/contract-umbrella-fur-2027$/);
	await page.getByText("No lines yet").waitFor();
	expect(await opened.window.look("contract-empty")).toEqual([]);
	await page.getByRole("button", { name: "Add line" }).click();
	await dialog.getByLabel("Name", { exact: true }).fill("Platform fee");
	await dialog.getByLabel("Currency").selectOption("eur");
	await dialog.getByLabel("Billing cycle").selectOption("yearly");
	await dialog.getByLabel("Price", { exact: true }).fill("12000");
	await dialog.getByLabel("Net terms").fill("30");
	expect(await opened.window.look("contract-line-first")).toEqual([]);
	await dialog.getByRole("button", { name: "Create" }).click();
	await page.getByRole("row", { name: /Platform fee €12,000\.00/ }).waitFor();
	await page.getByRole("button", { name: "Add line" }).click();
	await dialog.getByLabel("Model").waitFor();
	expect(await dialog.getByLabel("Currency").count()).toBe(0);
	await page.keyboard.press("Escape");

	await page.getByRole("button", { name: "Publish" }).click();
	await dialog.getByText(/1 invoices are issued now and total €12,000\.00/).waitFor();
	await dialog.getByRole("button", { name: "Publish" }).click();
	const invoices = page.getByRole("region", { name: "Invoice schedule" });
	await invoices.getByRole("link").first().click();
	await page.waitForURL(/\/console\/invoices\//);
	await page.getByText("€12,000.00").first().waitFor();
	await page.getByText("Platform fee").first().waitFor();
}, 90_000);

test("creates a contract from the customer's page, in German", async () => {
	const german = await opened.console.open({ language: "de-DE" });
	const { page } = german;
	const dialog = page.getByRole("dialog");
	await page.goto("/console/customers/customer-acme/entitlements");
	await page
		.getByRole("row", { name: /Kontingent/ })
		.first()
		.waitFor();
	expect(await german.look("customer-entitlements-german")).toEqual([]);
	await page.setViewportSize({ width: 390, height: 844 });
	const table = page.getByRole("region", { name: "Berechtigungen" }).last();
	expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
	await page.goto("/console/customers/customer-hooli/contracts");
	await page.getByRole("button", { name: "Neuer Vertrag" }).first().click();
	await dialog.getByLabel("Abonnement").selectOption({ label: "Enterprise" });
	await dialog.getByLabel("Name", { exact: true }).fill("Hooli");
	await dialog.getByLabel("Ende").fill("2099-01-01");
	expect(await german.look("contract-new-german")).toEqual([]);
	await dialog.getByRole("button", { name: "Anlegen" }).click();
	await page.waitForURL(/\/console\/contracts\/contract-hooli$/);
	await page.getByRole("link", { name: "customer-hooli" }).waitFor();
	expect(german.complaints).toEqual([]);
}, 60_000);
