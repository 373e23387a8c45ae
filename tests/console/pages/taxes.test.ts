import { afterEach, beforeAll, expect, test } from "bun:test";
import { consoleOfFile } from "../of-file";

const opened = consoleOfFile();
beforeAll(async () => {
	await createTax("Sales tax", "19");
	await createTax("Levy", "2");
}, 60_000);
afterEach(() => expect(opened.window.complaints).toEqual([]));

async function createTax(name: string, percentage: string) {
	const { page } = opened.window;
	const dialog = page.getByRole("dialog");
	await page.goto("/console/taxes");
	await page.getByRole("button", { name: "New tax" }).first().click();
	await dialog.getByLabel("Name", { exact: true }).fill(name);
	await dialog.getByLabel("Percentage").fill(percentage);
	await dialog.getByRole("button", { name: "Create" }).click();
	await dialog.waitFor({ state: "hidden" });
}

test("assigns taxes to a customer, and takes them back", async () => {
	const { page } = opened.window;
	const dialog = page.getByRole("dialog");
	await page.goto("/console/customers/customer-hooli");
	await page.getByText("As the environment", { exact: true }).waitFor();
	await page.getByRole("button", { name: "Edit taxes" }).click();
	await dialog.getByLabel("Taxes", { exact: true }).selectOption("own");
	await dialog.getByLabel("Sales tax").check();
	await dialog.getByLabel("Levy").check();
	expect(await opened.window.look("customer-taxes")).toEqual([]);
	await dialog.getByRole("button", { name: "Save" }).click();
	await page.getByText("Sales tax, Levy", { exact: true }).waitFor();
	await page.getByRole("button", { name: "Edit taxes" }).click();
	await dialog.getByLabel("Taxes", { exact: true }).selectOption("");
	await dialog.getByRole("button", { name: "Save" }).click();
	// The option of the closing dialog has the same text.
	await page.getByRole("definition").filter({ hasText: "As the environment" }).waitFor();
}, 60_000);

test("sells a plan with taxes and several coupons, and changes the taxes of the subscription", async () => {
	const { page } = opened.window;
	const dialog = page.getByRole("dialog");
	await page.goto("/console/customers/customer-hooli");
	await page.getByRole("button", { name: "Sell a plan" }).click();
	await dialog.getByLabel("Plan", { exact: true }).selectOption("plan-pro");
	await dialog.getByLabel("Seats", { exact: true }).fill("8");
	await dialog.getByLabel("Trial", { exact: true }).selectOption("none");
	await dialog.getByLabel("Coupon", { exact: true }).selectOption({ index: 1 });
	await dialog.getByLabel("Coupon 2", { exact: true }).selectOption({ index: 1 });
	await dialog.getByLabel("Taxes", { exact: true }).selectOption("own");
	await dialog.getByLabel("Sales tax").check();
	await dialog.getByLabel("Price preview").getByText("Tax", { exact: true }).first().waitFor();
	expect(await opened.window.look("sell-coupons-taxes")).toEqual([]);
	await dialog.getByRole("button", { name: "Sell a plan" }).click();
	await page.getByRole("heading", { level: 1, name: "Pro" }).waitFor();
	const main = page.getByRole("main");
	await main.getByText("Sales tax", { exact: true }).waitFor();
	expect(await main.locator('a[href*="/coupons/"]').count()).toBe(2);
	await page.getByRole("button", { name: "Edit taxes" }).click();
	await dialog.getByLabel("Sales tax").uncheck();
	await dialog.getByRole("button", { name: "Save" }).click();
	await main.getByText("No tax", { exact: true }).waitFor();
}, 60_000);

test("sets the taxes of the environment, their rounding, and whether coupons stack", async () => {
	const { page } = opened.window;
	await page.goto("/console/settings");
	await page.getByLabel("Rounding of taxes").selectOption("INVOICE");
	await page.getByLabel("Coupons of subscription and customer").selectOption("ALL");
	await page.getByLabel("Taxes", { exact: true }).selectOption("own");
	await page.getByLabel("Levy").check();
	expect(await opened.window.look("settings-taxes")).toEqual([]);
	await page.getByRole("button", { name: "Save" }).click();
	await page.getByText("Saved", { exact: false }).first().waitFor();
	await page.reload();
	expect(await page.getByLabel("Rounding of taxes").inputValue()).toBe("INVOICE");
	expect(await page.getByLabel("Coupons of subscription and customer").inputValue()).toBe("ALL");
	expect(await page.getByLabel("Levy").isChecked()).toBe(true);
}, 60_000);

test("the price editor assigns taxes to all prices and to one, and keeps them", async () => {
	const { page } = opened.window;
	const dialog = page.getByRole("dialog");
	await page.goto("/console/plans/plan-pro");
	await page.getByRole("button", { name: "New version" }).click();
	await page.getByRole("button", { name: "Edit prices" }).click();
	await dialog.getByLabel("Taxes", { exact: true }).first().selectOption("own");
	await dialog.getByLabel("Sales tax").first().check();
	expect(await opened.window.look("prices-taxes")).toEqual([]);
	await dialog.getByRole("button", { name: "Save" }).click();
	await dialog.waitFor({ state: "hidden" });
	await page.getByRole("button", { name: "Edit prices" }).click();
	expect(await dialog.getByLabel("Sales tax").first().isChecked()).toBe(true);
}, 60_000);
