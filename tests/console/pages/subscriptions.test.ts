import { afterEach, expect, test } from "bun:test";
import { consoleOfFile } from "../of-file";

const opened = consoleOfFile();
afterEach(() => expect(opened.window.complaints).toEqual([]));

test("sells a plan, advances the clock, explains the invoice and refunds a part", async () => {
	const { page } = opened.window;
	const dialog = page.getByRole("dialog");

	await page.goto("/console/customers?search=hooli");
	await page.getByRole("link", { name: "Hooli" }).click();
	await page.getByRole("button", { name: "Sell a plan" }).click();
	await dialog.getByLabel("Plan", { exact: true }).selectOption("plan-pro");
	await dialog.getByLabel("Seats", { exact: true }).fill("8");
	await dialog.getByLabel("Trial", { exact: true }).selectOption("none");
	await dialog.getByLabel("Price preview").getByText("Seats (Pro)").first().waitFor();
	await dialog.getByRole("button", { name: "Sell a plan" }).click();
	await page.getByRole("heading", { level: 1, name: "Pro" }).waitFor();

	await page.getByRole("button", { name: "Advance the clock" }).click();
	await dialog.getByRole("button", { name: "Advance the clock" }).click();
	await page.getByText("Test clock").waitFor();

	await page.goto("/console/customers/customer-hooli/timeline");
	await page.getByText("Invoice issued").first().waitFor();
	expect(await opened.window.look("customer-timeline")).toEqual([]);
	await page.getByRole("listitem").filter({ hasText: "Invoice issued" }).first().getByRole("link").click();

	await page.getByRole("button", { name: /Seats \(Pro\): how it was calculated/ }).click();
	await dialog.getByText("12 * 5 + 10 * 3").waitFor();
	expect(await opened.window.look("invoice-explained")).toEqual([]);
	await page.keyboard.press("Escape");

	await page.getByRole("button", { name: "Refund or credit" }).click();
	await dialog.getByLabel("Amount", { exact: true }).fill("10");
	await dialog.getByRole("button", { name: "Issue credit note" }).click();
	await page.getByRole("button", { name: "Void" }).waitFor();
	expect(await opened.window.look("invoice")).toEqual([]);
}, 60_000);

test("marks an issuer without a tax ID as incomplete, and gives a customer a cash discount", async () => {
	const { page } = opened.window;
	const dialog = page.getByRole("dialog");
	await page.goto("/console/settings/legal-entities");
	await page.getByText("Incomplete").waitFor();
	await page.getByRole("row").nth(1).click();
	await dialog.getByText("The issuer has no tax ID. Invoices need one.").waitFor();
	await dialog.getByLabel("Street", { exact: true }).fill("Invalidenstr. 112");
	await dialog.getByLabel("City", { exact: true }).fill("Berlin");
	await dialog.getByLabel("Country", { exact: true }).fill("DE");
	await dialog.getByRole("button", { name: "Add tax ID" }).click();
	await dialog.getByLabel("Number", { exact: true }).fill("DE136695976");
	await dialog.getByRole("button", { name: "Save" }).click();
	await page.getByText("Incomplete").waitFor({ state: "detached" });

	await page.goto("/console/customers/customer-hooli");
	await page.getByRole("button", { name: "Edit invoicing" }).click();
	await dialog.getByLabel("Cash discount", { exact: true }).fill("2");
	await dialog.getByLabel("Cash discount period").fill("10");
	await dialog.getByRole("button", { name: "Save" }).click();
	await page.getByText("2% within 10 days").waitFor();
}, 60_000);
