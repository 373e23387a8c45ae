import { afterEach, expect, test } from "bun:test";
import { consoleOfFile } from "../of-file";

const opened = consoleOfFile({ TOLLGATE_WEBHOOKS_ALLOW_PRIVATE: "1" });
afterEach(() => expect(opened.window.complaints).toEqual([]));

const call = async (method: string, path: string, body?: object) => {
	const answer = await opened.console.server.call(method, path, body);
	if (answer.status > 299) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
	return answer.body.data;
};

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

test("links each item that needs attention to its filtered list", async () => {
	const { page } = opened.window;
	await call("POST", "/customers", { id: "customer-skynet", name: "Skynet" });
	await call("POST", "/subscriptions", {
		id: "subscription-skynet",
		customerId: "customer-skynet",
		planId: "plan-enterprise",
	});
	await call("POST", "/contracts", {
		contractId: "contract-skynet",
		customerId: "customer-skynet",
		name: "Skynet framework",
		subscriptions: [{ existingSubscriptionId: "subscription-skynet" }],
		activationStartDate: inDays(-300),
		activationEndDate: inDays(20.5),
	});
	await call("POST", "/customers", { id: "customer-trying", name: "Trying" });
	await call("POST", "/subscriptions", {
		id: "subscription-trying",
		customerId: "customer-trying",
		planId: "plan-pro",
		billingPeriod: "MONTHLY",
		trialOverrideConfiguration: { isTrial: true, trialEndDate: inDays(3.5), trialEndBehavior: "CANCEL_SUBSCRIPTION" },
	});
	const webhook = await call("POST", "/webhooks", { endpoint: "http://127.0.0.1:9/hook" });
	await call("POST", "/customers", { id: "customer-event", name: "Event" });
	while ((await call("GET", `/webhooks/${webhook.id}`)).failingSince === null) await Bun.sleep(50);

	await page.goto("/console");
	const needs = page.getByRole("region", { name: "Needs attention" });
	await needs.getByText("Skynet framework · in 20 days").waitFor();
	await needs.getByText(/^customer-trying · in 3 days$/).waitFor();
	await needs.getByText(/^127\.0\.0\.1:9 · /).waitFor();
	expect(await opened.window.look("overview-needs")).toEqual([]);

	await needs.getByRole("link", { name: /Contracts ending soon/ }).click();
	await page.getByRole("row", { name: /Skynet framework/ }).waitFor();
	expect(await page.getByRole("row").count()).toBe(2);
	await page.getByLabel("Ends within (no renewal)").selectOption("30");
	await page.getByRole("row", { name: /Skynet framework/ }).waitFor();

	await page.goto("/console");
	await needs.getByRole("link", { name: /Trials ending soon/ }).click();
	await page.getByRole("row", { name: /subscription-trying|customer-trying/ }).waitFor();

	await page.goto("/console");
	await needs.getByRole("link", { name: /Failing webhooks/ }).click();
	await page.getByRole("row", { name: /127\.0\.0\.1:9.*Failing/ }).waitFor();
	await page.getByRole("link", { name: /127\.0\.0\.1:9/ }).click();
	await page.getByText("Failing since").waitFor();
	expect(await opened.window.look("webhook-failing")).toEqual([]);
}, 60_000);

test("shows ages by the environment's clock, and those of sessions by machine time", async () => {
	const { page } = opened.window;
	const clock = "/environments/current/clock";
	await call("POST", clock, { now: new Date().toISOString() });
	await call("POST", "/customers", { id: "customer-later", name: "Later" });
	await call("POST", clock, { advanceBy: "P3M" });
	await page.goto("/console/customers?search=customer-later");
	await page.getByRole("row", { name: /Later/ }).getByText("3 mo ago").waitFor();
	await page.goto("/console/settings/sign-in");
	await page.getByText("This session").waitFor();
	await page.getByText("in 12 hr").waitFor();
}, 60_000);
