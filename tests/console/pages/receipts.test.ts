import { afterEach, expect, test } from "bun:test";
import { consoleOfFile } from "../of-file";

const opened = consoleOfFile();
afterEach(() => expect(opened.window.complaints).toEqual([]));

test("records a receipt, disputes it, changes the state of the dispute, and allocates the rest to the balance", async () => {
	const { page } = opened.window;
	const dialog = page.getByRole("dialog");
	const main = page.getByRole("main");
	await page.goto("/console/receipts");
	await page.getByRole("button", { name: "Record a receipt" }).first().click();
	await dialog.getByLabel("Customer ID").fill("customer-acme");
	await dialog.getByLabel("Amount", { exact: true }).fill("100");
	await dialog.getByLabel("Currency").selectOption("usd");
	await dialog.getByRole("button", { name: "Create" }).click();
	await main.getByRole("button", { name: "Record a dispute" }).click();
	await dialog.getByLabel("Amount").fill("40");
	await dialog.getByLabel("Reason").fill("fraudulent");
	await dialog.getByRole("button", { name: "Record a dispute" }).click();
	await main.getByText("Needs a response").waitFor();
	await main.getByRole("button", { name: "Change the state" }).click();
	await dialog.getByLabel("State").selectOption("LOST");
	await dialog.getByRole("button", { name: "Change the state" }).click();
	await main.getByText("Lost", { exact: true }).waitFor();
	await main.getByRole("button", { name: "Allocate" }).click();
	await dialog.getByLabel("The rest").selectOption("BALANCE");
	await dialog.getByRole("button", { name: "Allocate" }).click();
	await main.getByText("Customer balance").waitFor();
	await main.getByRole("button", { name: "Show PDF" }).waitFor();
	expect(await opened.window.look("receipt")).toEqual([]);
}, 60_000);
