import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { type Console, openConsole, type Window } from "./browser";

let ours: Console;
let window: Window;
beforeAll(async () => {
	ours = await openConsole();
	window = await ours.open();
}, 60_000);
afterAll(() => ours?.close());
/** What the API refuses is said by the browser as well. */
const complaints = () => window.complaints.filter((text) => !text.includes("/billing/items"));
afterEach(() => expect(complaints()).toEqual([]));

test("a draft's lines are added, changed and removed; it is published with what that does, and amended", async () => {
	const { page } = window;
	const dialog = page.getByRole("dialog");
	const lines = page.getByRole("region", { name: "Lines" });
	await page.goto("/console/contracts/contract-wayne");
	await lines.getByRole("row", { name: /Committed seats 60 × 0–50: US\$10\.00, from 50: US\$9\.00/ }).waitFor();
	expect(await window.look("contract-draft")).toEqual([]);

	await page.getByRole("button", { name: "Add a line" }).click();
	await dialog.getByRole("button", { name: "Create" }).click();
	await dialog.getByText("Required").waitFor();
	await dialog.getByLabel("Name", { exact: true }).fill("Onboarding");
	await dialog.getByLabel("Model").selectOption("tiered");
	await dialog.getByLabel("Committed").fill("20");
	await dialog.getByLabel("Up to").fill("10");
	await dialog.getByLabel("Price", { exact: true }).fill("7");
	await dialog.getByRole("button", { name: "Add a tier" }).click();
	await dialog.getByLabel("From").last().fill("5");
	await dialog.getByLabel("Price", { exact: true }).last().fill("6");
	await dialog.getByLabel("To be paid within").fill("14");
	await dialog.getByRole("button", { name: "Create" }).click();
	// The API's own rule, at the field that it names.
	await dialog
		.getByText(/tiers may not overlap/)
		.first()
		.waitFor();
	expect(await dialog.getByLabel("From").last().getAttribute("aria-invalid")).toBe("true");
	expect(await window.look("contract-line-new")).toEqual([]);
	await dialog.getByLabel("From").last().fill("10");
	await dialog.getByRole("button", { name: "Create" }).click();
	await lines.getByRole("row", { name: /Onboarding 20 × 0–10: US\$7\.00, from 10: US\$6\.00/ }).waitFor();

	await lines.getByRole("button", { name: "Platform fee" }).click();
	await dialog.getByLabel("Price", { exact: true }).fill("15000");
	expect(await window.look("contract-line-prices")).toEqual([]);
	await dialog.getByRole("button", { name: "Save" }).click();
	await lines.getByRole("row", { name: /Platform fee US\$15,000\.00/ }).waitFor();
	await page.getByRole("region", { name: "Invoices to come and gone" }).getByText("US$15,").first().waitFor();

	await lines
		.getByRole("row", { name: /Onboarding/ })
		.getByRole("button", { name: "Remove" })
		.click();
	await dialog.getByText(/gone from this draft/).waitFor();
	await dialog.getByRole("button", { name: "Remove" }).click();
	await lines.getByRole("row", { name: /Onboarding/ }).waitFor({ state: "detached" });

	await page.getByRole("button", { name: "Publish" }).click();
	await dialog.getByRole("row", { name: /Platform fee Added US\$15,000\.00/ }).waitFor();
	expect(await window.look("contract-publish")).toEqual([]);
	await dialog.getByRole("button", { name: "Publish" }).click();
	await page.getByRole("button", { name: "Amend" }).waitFor();
	expect(await page.getByRole("button", { name: "Add a line" }).count()).toBe(0);

	await page.getByRole("button", { name: "Amend" }).click();
	await dialog.getByText(/Nothing is issued until/).waitFor();
	await dialog.getByRole("button", { name: "Amend" }).click();
	await page.getByText("An amendment is open").waitFor();
	await lines.getByRole("button", { name: "Committed seats" }).click();
	await dialog.getByLabel("Price", { exact: true }).last().fill("8");
	await dialog.getByRole("button", { name: "Save" }).click();
	await lines.getByRole("row", { name: /from 50: US\$8\.00/ }).waitFor();
	expect(await window.look("contract-amending")).toEqual([]);
	await page.getByRole("button", { name: "Publish the amendment" }).click();
	await dialog.getByRole("row", { name: /Committed seats Changed/ }).waitFor();
	await dialog.getByRole("row", { name: /Platform fee As before/ }).waitFor();
	expect(await window.look("contract-amendment")).toEqual([]);
	await dialog.getByRole("button", { name: "Publish the amendment" }).click();
	await page.getByText("An amendment is open").waitFor({ state: "detached" });
	await lines.getByText(/from 50: US\$8\.00/).waitFor();
}, 90_000);
