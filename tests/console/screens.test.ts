import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { type Console, openConsole, type Window } from "./browser";

let ours: Console;
let window: Window;
beforeAll(async () => {
	ours = await openConsole();
	window = await ours.open();
}, 60_000);
afterAll(() => ours?.close());
afterEach(() => expect(window.complaints).toEqual([]));

/** By the names of the menu. */
const names = ["Customers", "Subscriptions", "Invoices", "Tasks"];

for (const name of names)
	test(`${name} opens by its link, shows its data and stands in nobody's way`, async () => {
		const { page } = window;
		await page.getByRole("navigation").getByRole("link", { name, exact: true }).click();
		await page.getByRole("heading", { level: 1, name }).waitFor();
		await page.waitForLoadState("networkidle");
		expect(await window.look(name.toLowerCase().replaceAll(" ", "-"))).toEqual([]);
		expect(await page.getByRole("alert").count()).toBe(0);
	});

test("the menu has every screen that is tested here, and no other", async () => {
	const links = await window.page.getByRole("navigation").getByRole("link").allInnerTexts();
	expect(links).toEqual(names);
});
