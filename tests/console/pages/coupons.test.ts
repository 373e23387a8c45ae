import { afterEach, expect, test } from "bun:test";
import { consoleOfFile } from "../of-file";

const opened = consoleOfFile();
afterEach(() => expect(opened.window.complaints).toEqual([]));

test("creates a coupon of one plan that lasts for billing periods, and shows its terms", async () => {
	const { page } = opened.window;
	const dialog = page.getByRole("dialog");
	await page.goto("/console/coupons");
	await page.getByRole("button", { name: "New coupon" }).first().click();
	await dialog.getByLabel("Name", { exact: true }).fill("Gift");
	await dialog.getByLabel("Type of discount").selectOption("FIXED");
	await dialog.getByLabel("Amount off").fill("50");
	await dialog.getByLabel("Applies", { exact: true }).selectOption("USED_UP");
	await dialog.getByLabel("Billing periods").fill("3");
	await dialog.getByLabel("Only plans").fill("plan-pro");
	await dialog.getByLabel("Only addons").fill("addon-priority-support");
	await dialog.getByLabel("Only addons").fill("");
	expect(await opened.window.look("coupon-new")).toEqual([]);
	await dialog.getByRole("button", { name: "Create" }).click();
	await page.getByRole("link", { name: "Gift", exact: true }).click();
	const main = page.getByRole("main");
	for (const text of ["Until the amount is used up", "3 billing periods", "Only plans: plan-pro"])
		await main.getByText(text, { exact: true }).waitFor();
	expect(await opened.window.look("coupon")).toEqual([]);
}, 60_000);

test("creates a coupon with free units of a feature", async () => {
	const { page } = opened.window;
	const dialog = page.getByRole("dialog");
	await page.goto("/console/coupons");
	await page.getByRole("button", { name: "New coupon" }).first().click();
	await dialog.getByLabel("Name", { exact: true }).fill("Free calls");
	await dialog.getByLabel("Type of discount").selectOption("FREE_UNITS");
	await dialog.getByLabel("Units in each period of usage").fill("500");
	await dialog.getByLabel("Feature ID").fill("feature-api-calls");
	expect(await dialog.getByLabel("Only plans").count()).toBe(0);
	expect(await opened.window.look("coupon-free-units")).toEqual([]);
	await dialog.getByRole("button", { name: "Create" }).click();
	await page.getByRole("link", { name: "Free calls", exact: true }).click();
	await page.getByRole("main").getByText("500 free units of feature-api-calls", { exact: true }).waitFor();
}, 60_000);
