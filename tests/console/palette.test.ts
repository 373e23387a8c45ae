import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Console, openConsole } from "./browser";

let ours: Console;
const customersCount = 120;

beforeAll(async () => {
	ours = await openConsole();
	const make = async (path: string, body: object) => {
		const { status, body: answer } = await ours.server.call("POST", path, body);
		if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
		return answer.data;
	};
	// More than one page of each: the search finds the oldest, too.
	for (let n = 0; n < customersCount; n += 1) {
		await make("/customers", { id: `crowd-${n}` });
		await make("/features", { id: `crowded-${n}`, displayName: `Crowded ${n}`, featureType: "BOOLEAN" });
	}
	await make("/coupons", {
		...{ id: "spring-sale", name: "Spring sale", description: null, percentOff: 10 },
		...{ amountsOff: null, durationInMonths: null, metadata: null },
	});
}, 60_000);
afterAll(() => ours?.close());

test("⌘K finds records by ID or name among many, and opens them", async () => {
	const { page, context, complaints, barriers } = await ours.open();
	const [invoice] = (await ours.server.call("GET", "/invoices?limit=1")).body.data;
	const [subscription] = (await ours.server.call("GET", "/subscriptions?limit=1")).body.data;
	for (const [text, option, path] of [
		["crowd-0", /crowd-0/, "/console/customers/crowd-0"],
		[subscription.id, new RegExp(subscription.id), `/console/subscriptions/${subscription.id}`],
		[invoice.invoiceNumber, new RegExp(invoice.invoiceNumber), `/console/invoices/${invoice.invoiceId}`],
		[invoice.invoiceId, new RegExp(invoice.invoiceNumber), `/console/invoices/${invoice.invoiceId}`],
		["plan-pro", /^Pro\b/, "/console/plans/plan-pro"],
		["api c", /^API calls/, "/console/features/feature-api-calls"],
		["spring s", /^Spring sale/, "/console/coupons/spring-sale"],
	] as const) {
		await page.keyboard.press("Control+k");
		await page.getByRole("combobox", { name: "Search or jump to" }).fill(text);
		await page.getByRole("option", { name: option }).first().waitFor();
		if (text === "crowd-0") expect(await barriers()).toEqual([]);
		await page.getByRole("option", { name: option }).first().click();
		await page.waitForURL(`**${path}`);
	}
	await page.keyboard.press("Control+k");
	await page.getByRole("combobox", { name: "Search or jump to" }).fill("nothing-is-called-so");
	await page.getByText("nothing-is-called-so").first().waitFor();
	expect(await page.getByRole("option").count()).toBe(0);
	expect(complaints).toEqual([]);
	await context.close();
}, 60_000);

test("⌘K opens the palette again while the browser still reports that it was closed", async () => {
	const { page, context, complaints } = await ours.open();
	await page.goto("/console");
	await page.getByRole("navigation").waitFor();
	// The browser reports a closed dialog in a later task, so that presses in one task come before all reports.
	const isOpenAfter = (presses: number) =>
		page.evaluate(async (count) => {
			for (let press = 0; press < count; press += 1) {
				dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true }));
				for (let step = 0; step < 100; step += 1) await Promise.resolve();
			}
			await new Promise((done) => setTimeout(done, 100));
			return document.querySelector("dialog.palette[open] input") !== null;
		}, presses);
	expect(await isOpenAfter(1)).toBe(true);
	expect(await isOpenAfter(2)).toBe(true);
	expect(await page.evaluate(() => document.activeElement?.getAttribute("role"))).toBe("combobox");
	for (const key of ["Control+k", "Control+k", "Escape", "Control+k"]) await page.keyboard.press(key);
	await page.getByRole("combobox").waitFor();
	expect(complaints).toEqual([]);
	await context.close();
});
