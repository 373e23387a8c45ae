import { afterEach, expect, test } from "bun:test";
import { consoleOfFile } from "./of-file";

const opened = consoleOfFile();
afterEach(() => expect(opened.window.complaints).toEqual([]));

/** The screens by their names in the menu. */
const names = [
	"Overview",
	"Customers",
	"Subscriptions",
	"Contracts",
	"Invoices",
	"Receipts",
	"Credits",
	"Products",
	"Plans",
	"Addons",
	"Features",
	"Coupons",
	"Taxes",
	"Events",
	"Webhooks",
	"Tasks",
	"Audit log",
	"Status",
	"Settings",
];

for (const name of names)
	test(`${name} opens from the menu, shows its data and is accessible`, async () => {
		const { page } = opened.window;
		await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true }).click();
		await page.getByRole("heading", { level: 1, name }).waitFor();
		await page.waitForLoadState("networkidle");
		expect(await opened.window.look(name.toLowerCase().replaceAll(" ", "-"))).toEqual([]);
		expect(await page.getByRole("alert").count()).toBe(0);
	});

/** Addresses of other screens, and a text on each. */
const parts: ReadonlyArray<readonly [path: string, text: string]> = [
	["/products/product-atlas", "Enterprise"],
	["/plans/plan-pro", "On sale"],
	["/addons/addon-priority-support", "Base fee"],
	["/features/feature-api-calls", "Number of events"],
	["/events/unmatched", "All event names match a meter"],
	["/settings/environments", "sandbox"],
	["/settings/keys", "Publishable"],
	["/settings/people", "Demo owner"],
	["/settings/identity-providers", "No identity provider yet"],
	["/settings/legal-entities", "Default"],
	["/settings/provider-connections", "No provider is connected"],
	["/settings/sign-in", "This session"],
	["/settings/clock", "Real time"],
];

for (const [path, text] of parts)
	test(`${path} shows its data and is accessible`, async () => {
		const { page } = opened.window;
		await page.goto(`/console${path}`);
		await page.getByRole("main").getByText(text, { exact: true }).first().waitFor();
		expect(await opened.window.look(path.slice(1).replaceAll("/", "-"))).toEqual([]);
		expect(await page.getByRole("alert").count()).toBe(0);
	});

test("the menu has exactly the screens that are tested here", async () => {
	const links = await opened.window.page.getByRole("navigation", { name: "Main" }).getByRole("link").allInnerTexts();
	expect(links).toEqual(names);
});
