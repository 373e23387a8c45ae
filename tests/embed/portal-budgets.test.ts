import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Console, openConsole, type Window } from "../console/browser";
import { runTollgate } from "../support/process";

let ours: Console;

const call = async (method: string, path: string, body?: unknown) => {
	const answer = await ours.server.call(method, path, body);
	if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
	return answer.body.data;
};

const customer = "/customers/agents";
const drafts = { featureId: "drafts", cadence: "P1M" };

/** Two agents share the budget of a team: 10 drafts a month, of which the drafter may use 4 (docs/budgets.md). */
beforeAll(async () => {
	ours = await openConsole();
	await call("POST", "/features", {
		id: "drafts",
		displayName: "Drafts",
		featureType: "NUMBER",
		meterType: "INCREMENTAL",
	});
	await call("POST", "/plans", { id: "agents", displayName: "Agents", productId: "product-atlas" });
	await call("POST", "/plans/agents/entitlements", {
		entitlements: [{ type: "FEATURE", id: "drafts", usageLimit: 1000 }],
	});
	await call("PATCH", "/plans/agents", { charges: { pricingType: "FREE", pricingModels: [] } });
	await call("POST", "/plans/agents/publish", { migrationType: "NEW_CUSTOMERS" });
	await call("POST", "/customers", { id: "agents" });
	await call("POST", "/subscriptions", { customerId: "agents", planId: "agents" });
	await call("PUT", `${customer}/entities`, {
		entities: [
			{ id: "squad", entityTypeId: "team", displayName: "First squad" },
			{ id: "drafting", entityTypeId: "agent", displayName: "Drafter <b>" },
			{ id: "reviewing", entityTypeId: "agent", displayName: "Reviewer" },
		],
	});
	await call("PUT", `${customer}/assignments`, {
		assignments: [
			{ ...drafts, entityId: "squad", usageLimit: 10 },
			{ ...drafts, entityId: "drafting", parentId: "squad", usageLimit: 4 },
			{ ...drafts, entityId: "reviewing", parentId: "squad", usageLimit: null },
		],
	});
}, 60_000);
afterAll(() => ours?.close());

const isGranted = async (agentId: string, amount: number): Promise<boolean> =>
	(await call("POST", `${customer}/entitlements/drafts/consume`, { amount, dimensions: { agentId } })).isGranted;

const explained = async (agentId: string): Promise<string> =>
	(
		await call(
			"GET",
			`${customer}/entitlements/check?featureId=drafts&requestedUsage=1&dimensions[agentId]=${agentId}&explain=true`,
		)
	).explanation.text;

async function portal(body: object, search = ""): Promise<Window> {
	const { url } = await call("POST", `${customer}/portal-sessions`, body);
	const window = await ours.open({ isSignedIn: false });
	await window.page.goto(url.replace("/portal#", `/portal${search}#`));
	return window;
}

test("the drafter's budget and then the team's stop the agents, the admin approves more, and the next call passes", async () => {
	expect(await isGranted("drafting", 4)).toBe(true);
	expect(await isGranted("drafting", 1)).toBe(false);
	expect(await explained("drafting")).toContain("'drafting'");
	expect(await isGranted("reviewing", 6)).toBe(true);
	expect(await isGranted("reviewing", 1)).toBe(false);
	expect(await explained("reviewing")).toContain("'squad'");

	const lead = await portal({ budgets: "GOVERN", entityId: "squad", personId: "lena" });
	await lead.page.getByRole("heading", { name: "Budgets" }).waitFor();
	await lead.page.getByText("Drafter <b>").waitFor();
	expect(await lead.page.getByRole("button", { name: "Change limit of First squad" }).count()).toBe(0);
	await lead.page.getByRole("button", { name: "Request more for First squad" }).click();
	await lead.page.getByLabel("Additional Drafts").fill("5");
	await lead.page.getByLabel("Reason").fill("A long contract");
	expect(await lead.look("portal-budget-request")).toEqual([]);
	await lead.page.getByRole("button", { name: "Send request" }).click();
	await lead.page.getByText("The request has been sent.").waitFor();
	await lead.page.getByText("First squad: 5 more Drafts").waitFor();
	expect(await lead.page.getByRole("button", { name: "Approve" }).count()).toBe(0);
	expect(lead.complaints).toEqual([]);
	await lead.context.close();

	const admin = await portal({ budgets: "GOVERN", personId: "ada" });
	await admin.page.getByRole("button", { name: "Budgets" }).click();
	await admin.page.getByText("by lena").waitFor();
	expect(await admin.look("portal-budgets")).toEqual([]);
	await admin.page.getByRole("button", { name: "Approve the request of First squad" }).click();
	await admin.page.getByLabel("Approved amount").fill("3");
	await admin.page.getByRole("button", { name: "Approve", exact: true }).click();
	await admin.page.getByText("The request has been approved.").waitFor();
	expect(admin.complaints).toEqual([]);
	await admin.context.close();

	expect(await isGranted("reviewing", 1)).toBe(true);
	const { status, output } = await runTollgate(ours.folder, ["check"]);
	expect([status, output]).toEqual([0, "sound\n"]);
}, 120_000);

test("a link opens the request, and the admin changes a limit below", async () => {
	const request = { ...drafts, entityId: "drafting", amount: 2, duration: "PERMANENT", cadence: undefined };
	const { id } = await call("POST", `${customer}/budget-requests`, request);
	const { page, context, complaints } = await portal({ budgets: "GOVERN", entityId: "squad" }, `?request=${id}`);
	await page.getByRole("heading", { name: "Approve the request of Drafter <b>" }).waitFor();
	await page.getByRole("button", { name: "Close" }).click();
	await page.getByRole("button", { name: "Decline the request of Drafter <b>" }).click();
	await page.getByText("The request has been declined.").waitFor();
	await page.getByLabel("Search for a name or ID").fill("review");
	await page.getByLabel("Search for a name or ID").press("Enter");
	await page.getByRole("button", { name: "Change limit of Reviewer" }).click();
	await page.getByLabel("New limit of Drafts").fill("7");
	await page.getByRole("button", { name: "Save" }).click();
	await page.getByText("The limit of Reviewer has been changed.").waitFor();
	expect(complaints).toEqual([]);
	await context.close();
}, 60_000);

test("the widget shows the tree, without requests if it is read-only", async () => {
	const { token } = await call("POST", `${customer}/portal-sessions`, { budgets: "VIEW", entityId: "squad" });
	const page = (attributes: string) =>
		new Response(
			`<!doctype html><html lang="en"><title>Budgets</title><main><tollgate-budgets language="de" ${attributes} token="${token}"></tollgate-budgets></main><script type="module" src="${ours.server.url}/embed/tollgate.js"></script>`,
			{ headers: { "content-type": "text/html" } },
		);
	const foreign = Bun.serve({
		port: 0,
		fetch: ({ url }) => page(new URL(url).pathname === "/read-only" ? "read-only" : ""),
	});
	await call("PATCH", "/environments/current", { allowedOrigins: [foreign.url.origin] });
	const window = await ours.open({ isSignedIn: false });
	await window.page.goto(`${foreign.url}read-only`);
	await window.page.getByText("First squad").first().waitFor();
	expect(await window.page.getByRole("button").count()).toBe(0);
	await window.page.goto(foreign.url.href);
	await window.page.getByRole("heading", { name: "Anfragen" }).waitFor();
	await window.page.getByRole("button", { name: "Mehr anfragen für First squad" }).waitFor();
	await window.context.close();
	await foreign.stop(true);
}, 60_000);
