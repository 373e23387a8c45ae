import { afterEach, expect, test } from "bun:test";
import { consoleOfFile } from "../of-file";

const opened = consoleOfFile();
// The preview also rejects a rejected price, and the browser logs it.
const complaints = () => opened.window.complaints.filter((text) => !/status of 400 .*\/preview\)$/.test(text));
afterEach(() => expect(complaints()).toEqual([]));

test("shows the customers who lose an entitlement before a draft is published", async () => {
	const { page } = opened.window;
	const dialog = page.getByRole("dialog");
	await page.goto("/console/plans");
	await page.getByRole("link", { name: "Pro", exact: true }).click();
	await page.getByRole("button", { name: "New version" }).click();
	await page.getByText("This is a draft").waitFor();

	await page.getByRole("button", { name: "Projects" }).click();
	await dialog.getByLabel("Limit", { exact: true }).fill("5");
	expect(await opened.window.look("plan-entitlement")).toEqual([]);
	await dialog.getByRole("button", { name: "Save" }).click();
	await page.getByRole("row", { name: "Projects 5" }).waitFor();

	await page.getByRole("button", { name: "Edit prices" }).click();
	await dialog.getByRole("group", { name: "Flat fee" }).getByLabel("Monthly").fill("59");
	await dialog.getByRole("button", { name: "Save" }).click();
	await page.getByText("US$59.00").first().waitFor();

	await page.getByRole("button", { name: "Publish" }).click();
	const simulated = dialog.getByRole("region", { name: "Cost of the last period at the new prices" });
	await simulated.getByRole("button", { name: "Calculate", exact: true }).click();
	await simulated.getByRole("button", { name: "Calculate again" }).waitFor();
	await simulated.getByRole("row", { name: /^USD .*\+US\$\d+0\.00$/ }).waitFor();
	await simulated.getByRole("row", { name: /^Pay more: \d/ }).waitFor();
	await simulated.getByRole("row", { name: /^Acme.* customer-acme / }).waitFor();
	await simulated.scrollIntoViewIfNeeded();
	expect(await opened.window.look("plan-simulation")).toEqual([]);
	await dialog.getByLabel("Applies to").selectOption("ALL_CUSTOMERS");
	await dialog.getByRole("region", { name: "Customers losing entitlements" }).getByText("Projects").first().waitFor();
	await dialog.getByRole("row", { name: /^Acme.* customer-acme Projects$/ }).waitFor();
	expect(await opened.window.look("plan-publish")).toEqual([]);
	await dialog.getByRole("button", { name: "Publish" }).click();
	await page.getByRole("row", { name: "Version 3 Pro On sale" }).waitFor();
	await page.getByRole("row", { name: "Projects 5" }).waitFor();
}, 60_000);

test("previews the price of a plan for other quantities", async () => {
	const { page } = opened.window;
	await page.goto("/console/plans/plan-pro");
	const estimate = page.getByRole("region", { name: "Price preview" });
	// A customer who has the plan sees a first invoice, too.
	await page.getByLabel("Customer", { exact: true }).selectOption("customer-acme");
	await page.getByLabel("Seats", { exact: true }).fill("8");
	await estimate.getByText("US$90.00").first().waitFor();
	expect(await opened.window.look("plan-estimate")).toEqual([]);
}, 60_000);

test("prices overage in a draft, previews its invoice and publishes it", async () => {
	const { page } = opened.window;
	const dialog = page.getByRole("dialog");
	await page.goto("/console/plans/plan-pro");
	await page.getByRole("button", { name: "New version" }).click();
	await page.getByRole("button", { name: "Edit prices" }).click();
	await dialog.getByRole("button", { name: "Add overage" }).click();
	const overage = dialog.getByRole("group", { name: "Overage" });
	await overage.getByLabel("Feature", { exact: true }).selectOption("feature-api-calls");
	// The form starts with the limit of the plan.
	await overage.getByLabel("Limit").and(page.locator("[value='100000']")).waitFor();
	await overage.getByLabel("Resets").and(page.locator(":has(option:checked[value=MONTH])")).waitFor();
	await overage.getByLabel("Limit").fill("80000");
	await overage.getByLabel("Price per unit").fill("2000000000000");
	await dialog.getByRole("button", { name: "Save" }).click();
	await overage.getByText("amounts are in major units").waitFor();
	// The browser logs every rejected request.
	expect(opened.window.complaints.every((text) => text.includes("400"))).toBe(true);

	await overage.getByLabel("Block size").fill("1000");
	await overage.getByLabel("Price per block").fill("2.5");
	const invoice = dialog.getByRole("region", { name: "Price preview" });
	await dialog.getByRole("slider", { name: "API calls, usage" }).fill("82500");
	await invoice.getByRole("row", { name: "API calls (Pro) 2,500 US$7.50" }).waitFor();
	(opened.window.complaints as string[]).length = 0;
	await overage.scrollIntoViewIfNeeded();
	expect(await opened.window.look("plan-overage")).toEqual([]);
	await dialog.getByRole("button", { name: "Save" }).click();
	const sold = page.getByRole("row", { name: "API calls Usage-based Monthly US$2.50 per 1,000" });
	await sold.waitFor();
	await page.getByRole("row", { name: "API calls 80,000 Monthly" }).waitFor();

	await page.getByRole("button", { name: "Publish" }).click();
	await dialog.getByRole("row", { name: /^Overage: API calls, Monthly New/ }).waitFor();
	await dialog.getByRole("button", { name: "Publish" }).click();
	await page.getByRole("row", { name: /^Version 4 Pro On sale/ }).waitFor();
	await sold.waitFor();
	// The price preview of the plan uses the new price.
	const line = page.getByRole("row", { name: /^API calls \(Pro\)/ });
	await line.waitFor();
	await page.getByRole("slider", { name: "API calls, usage" }).fill("80000");
	await line.waitFor({ state: "detached" });
}, 60_000);

test("previews the price of an addon with a plan, published and as a draft", async () => {
	const { page } = opened.window;
	const dialog = page.getByRole("dialog");
	await page.goto("/console/addons/addon-priority-support");
	await page.getByRole("region", { name: "Price preview" }).getByText("US$99.00").first().waitFor();
	await page.getByRole("button", { name: "New version" }).click();
	await page.getByRole("button", { name: "Edit prices" }).click();
	await dialog.getByRole("spinbutton", { name: "Monthly" }).fill("89");
	const invoice = dialog.getByRole("region", { name: "Price preview" });
	await invoice.getByRole("row", { name: "Priority support 1 US$89.00" }).first().waitFor();
	await dialog.getByLabel("Billing period").selectOption("ANNUALLY");
	await invoice.getByRole("row", { name: "Priority support 1 US$990.00" }).first().waitFor();
	// Another period gets its own amount, and the preview can be charged by it.
	await dialog.getByLabel("Add a period").selectOption("CUSTOM");
	await dialog.getByRole("spinbutton", { name: "Length" }).fill("45");
	await dialog.getByRole("button", { name: "Add a period" }).click();
	await dialog.getByLabel("Add a period").selectOption("QUARTERLY");
	await dialog.getByRole("spinbutton", { name: "Every 45 days" }).fill("120");
	await dialog.getByRole("spinbutton", { name: "Quarterly" }).fill("250");
	await dialog.getByLabel("Billing period").selectOption("QUARTERLY");
	expect(await opened.window.look("addon-prices")).toEqual([]);
	await dialog.getByRole("button", { name: "Save" }).click();
	await page.getByRole("row", { name: "Base fee Flat fee Monthly US$89.00" }).waitFor();
	await page.getByRole("row", { name: "Base fee Flat fee Every 45 days US$120.00" }).waitFor();
	await page.getByRole("row", { name: "Base fee Flat fee Quarterly US$250.00" }).waitFor();
}, 60_000);

test("edits the entitlements of several plans in the matrix and saves drafts", async () => {
	const { page } = opened.window;
	await page.goto("/console/products/product-atlas/matrix");
	await page.getByLabel("Projects in Free", { exact: true }).fill("4");
	await page.getByLabel("Storage in Free", { exact: true }).fill("∞");
	await page.getByLabel("Single sign-on in Pro", { exact: true }).check();
	await page.getByText("3 changes in 2 plans").waitFor();
	expect(await opened.window.look("product-matrix")).toEqual([]);
	await page.getByRole("button", { name: "Save as drafts" }).click();
	await page.getByRole("columnheader", { name: "Free (Draft)" }).waitFor();
	await page.goto("/console/plans/plan-free");
	await page.getByRole("link", { name: "Open the draft" }).click();
	await page.getByRole("row", { name: "Projects 4" }).waitFor();
	await page.getByRole("row", { name: "Storage Unlimited" }).waitFor();
}, 60_000);

test("creates a feature, a product and a plan, and sells the plan", async () => {
	const { page } = opened.window;
	const dialog = page.getByRole("dialog");
	await page.goto("/console/features");
	await page.getByRole("button", { name: "New feature" }).click();
	await dialog.getByLabel("Name", { exact: true }).fill("Exports");
	await dialog.getByLabel("Type").selectOption("NUMBER");
	await dialog.getByLabel("Usage").selectOption("INCREMENTAL");
	await dialog.getByRole("button", { name: "Create" }).click();
	await page.getByRole("heading", { level: 1, name: "Exports" }).waitFor();
	await page.getByText("No meter").waitFor();
	// The screen reads the missing meter, and the browser logs the 404.
	expect(complaints().every((text) => text.includes("/features/feature-exports/meter"))).toBe(true);
	(opened.window.complaints as string[]).length = 0;
	await page.getByRole("button", { name: "Set up meter" }).click();
	await dialog.getByLabel("Value", { exact: true }).fill("exported");
	expect(await opened.window.look("feature-meter")).toEqual([]);
	await dialog.getByRole("button", { name: "Save" }).click();
	await page.getByText("eventName is exported").waitFor();

	await page.goto("/console/products");
	await page.getByRole("button", { name: "New product" }).click();
	await dialog.getByLabel("Name", { exact: true }).fill("Beacon");
	await dialog.getByRole("button", { name: "Create" }).click();
	await page.getByRole("heading", { level: 1, name: "Beacon" }).waitFor();

	await page.goto("/console/plans");
	await page.getByRole("button", { name: "New plan" }).click();
	await dialog.getByLabel("Name", { exact: true }).fill("Beacon One");
	await dialog.getByLabel("Product").selectOption("product-beacon");
	expect(await opened.window.look("plan-new")).toEqual([]);
	await dialog.getByRole("button", { name: "Create" }).click();
	await page.getByRole("heading", { level: 1, name: "Beacon One" }).waitFor();
	await page.getByRole("button", { name: "Add entitlement" }).click();
	await dialog.getByLabel("Feature or credits", { exact: true }).selectOption("feature-exports");
	await dialog.getByLabel("Limit", { exact: true }).fill("20");
	await dialog.getByLabel("Resets").selectOption("MONTH");
	await dialog.getByRole("button", { name: "Create" }).click();
	await page.getByRole("row", { name: "Exports 20 Monthly" }).waitFor();

	await page.getByRole("button", { name: "Edit prices" }).click();
	await dialog.getByLabel("Monthly").fill("20");
	await dialog.getByLabel("Yearly").fill("200");
	await dialog.getByRole("button", { name: "Add price" }).click();
	const second = dialog.getByRole("group").nth(1);
	await second.getByLabel("Model").selectOption("USAGE_BASED");
	const usage = dialog.getByRole("group", { name: "Usage-based" });
	await usage.getByLabel(/^Feature/).selectOption("feature-exports");
	await usage.getByLabel("Tiers").selectOption("GRADUATED");
	await usage.getByLabel("Monthly, per unit").first().fill("0.5");
	await usage.getByLabel("Monthly, per unit").last().fill("0.125");
	// The server previews unsaved prices: ten at 0.50, two at 0.125, and 20 in advance.
	const invoice = dialog.getByRole("region", { name: "Price preview" });
	await dialog.getByRole("slider", { name: "Exports, usage" }).fill("12");
	await invoice.getByRole("row", { name: "Exports (Beacon One) 12 US$5.25" }).waitFor();
	await invoice.getByText("US$25.25").waitFor();
	await dialog.getByLabel("Billing period").selectOption("ANNUALLY");
	await invoice.getByRole("row", { name: "Beacon One 1 US$200.00" }).first().waitFor();
	await dialog.getByLabel("Billing period").selectOption("MONTHLY");
	expect(await opened.window.look("plan-prices")).toEqual([]);
	await dialog.getByRole("button", { name: "Save" }).click();
	await page.getByText("Above: US$0.125 each").waitFor();

	await page.getByRole("button", { name: "Edit prices" }).click();
	await dialog.getByLabel("Yearly").fill("210");
	await dialog.getByRole("button", { name: "Save" }).click();
	await page.getByText("US$210.00").waitFor();
	await page.getByText("Above: US$0.125 each").waitFor();

	await page.getByRole("button", { name: "Publish" }).click();
	await dialog.getByText("No customer loses an entitlement.").waitFor();
	await dialog.getByRole("button", { name: "Publish" }).click();
	await page.getByRole("row", { name: "Version 1 Beacon One On sale" }).waitFor();

	await page.getByRole("button", { name: "Sell", exact: true }).click();
	await dialog.getByRole("option", { name: /Hooli/ }).click();
	await dialog.getByLabel("Price preview").getByText("US$20.00").first().waitFor();
	expect(await opened.window.look("plan-sell")).toEqual([]);
	await dialog.getByRole("button", { name: "Sell a plan" }).click();
	await page.getByRole("heading", { level: 1, name: "Beacon One" }).waitFor();
	await page.getByText("Hooli").first().waitFor();
}, 60_000);
