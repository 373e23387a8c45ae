import { afterEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { consoleOfFile } from "../../of-file";

const opened = consoleOfFile();
afterEach(() => expect(opened.window.complaints).toEqual([]));

/** Requests a higher limit of the demo's drafter, as an agent's owner does. */
async function request(): Promise<void> {
	const [, key = ""] =
		/Full-access \S+ +(\S+)/.exec(readFileSync(join(opened.console.folder, "initial-keys.txt"), "utf8")) ?? [];
	const answer = await fetch(`${opened.console.server.url}/api/v1/customers/customer-acme/budget-requests`, {
		method: "POST",
		headers: { "x-api-key": key, "content-type": "application/json" },
		body: JSON.stringify({
			...{ entityId: "drafter", currencyId: "currency-ai-credits", amount: 50 },
			...{ duration: "PERMANENT", reason: "A long contract" },
		}),
	});
	expect(answer.status).toBe(201);
}

test("the tab of a customer shows budgets, changes a limit, and approves a part of a request", async () => {
	await request();
	const { page } = opened.window;
	const dialog = page.getByRole("dialog");
	await page.goto("/console/customers/customer-acme");
	await page.getByRole("link", { name: "Budgets", exact: true }).click();
	const budget = page.getByRole("row").filter({ hasText: "Drafter" });
	await budget.getByText("300", { exact: true }).waitFor();
	await budget.getByText("below research").waitFor();
	expect(await opened.window.look("customer-budgets")).toEqual([]);

	await budget.getByRole("button", { name: "Change limit" }).click();
	await dialog.getByLabel("New limit").fill("320");
	await dialog.getByRole("button", { name: "Change limit" }).click();
	await budget.getByText("320", { exact: true }).waitFor();

	const asked = page.getByRole("row").filter({ hasText: "A long contract" });
	await asked.getByRole("button", { name: "Approve" }).click();
	await dialog.getByLabel("Approved amount").fill("30");
	await dialog.getByRole("button", { name: "Approve" }).click();
	await budget.getByText("350", { exact: true }).waitFor();
	expect(await asked.count()).toBe(0);
}, 60_000);
