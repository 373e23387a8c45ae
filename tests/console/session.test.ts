import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Console, openConsole, signIn } from "./browser";

let ours: Console;
beforeAll(async () => {
	ours = await openConsole();
}, 60_000);
afterAll(() => ours?.close());

const cookieFor = async (): Promise<string> => {
	const { context } = await ours.open();
	const [cookie] = await context.cookies();
	await context.close();
	return `${cookie?.name}=${cookie?.value}`;
};

test("signs in with a cookie and signs out", async () => {
	const window = await ours.open({ isSignedIn: false });
	const { page, context } = window;
	await page.goto("/");
	await page.getByRole("button", { name: "Sign in" }).waitFor();
	expect(await window.look("sign-in")).toEqual([]);
	await signIn(page, ours.person);
	expect((await context.cookies()).map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }))).toEqual([
		{ name: "tollgate", httpOnly: true, sameSite: "Strict" },
	]);
	const [cookie] = await context.cookies();
	await page.getByRole("button", { name: /Signed in as/ }).click();
	await page.getByRole("menuitem", { name: "Sign out" }).click();
	await page.getByLabel("Email").waitFor();
	expect(await context.cookies()).toEqual([]);
	expect(window.complaints).toEqual([]);
	const headers = { cookie: `${cookie?.name}=${cookie?.value}`, "sec-fetch-site": "same-origin" };
	expect((await fetch(`${ours.server.url}/api/v1/me`, { headers })).status).toBe(401);
	await context.close();
});

test("shows the API's message for a wrong password", async () => {
	const { page, context } = await ours.open({ isSignedIn: false });
	await page.goto("/console/tasks");
	await page.getByLabel("Email").fill(ours.person.email);
	await page.getByLabel("Password").fill("wrong");
	await page.getByRole("button", { name: "Sign in" }).click();
	await page.getByRole("alert").getByText("The email address, the password or the code is wrong.").waitFor();
	await context.close();
});

test("opens a deep link after sign-in", async () => {
	const { page, context } = await ours.open();
	await page.goto("/console/tasks");
	await page.getByRole("heading", { name: "Tasks" }).waitFor();
	await context.close();
});

const calls: ReadonlyArray<readonly [string, Record<string, string>, number]> = [
	["its own page", { "sec-fetch-site": "same-origin" }, 200],
	["its own page over plain HTTP, which names its origin", { origin: "same" }, 200],
	["a page of another site", { "sec-fetch-site": "cross-site" }, 401],
	["a page of another name of this site", { "sec-fetch-site": "same-site" }, 401],
	["the address bar", { "sec-fetch-site": "none" }, 401],
	["a page of another origin", { origin: "https://elsewhere.example" }, 401],
];
for (const [name, headers, status] of calls)
	test(`a request with the cookie from ${name} answers ${status}`, async () => {
		const { url } = ours.server;
		const sent = { cookie: await cookieFor(), ...headers, ...(headers.origin === "same" && { origin: url }) };
		expect((await fetch(`${url}/api/v1/me`, { headers: sent })).status).toBe(status);
	});

test("rejects a write with the cookie but without an origin", async () => {
	const { url } = ours.server;
	const headers = { cookie: await cookieFor(), "content-type": "application/json" };
	const body = JSON.stringify({ id: "forged", displayName: "Forged" });
	expect((await fetch(`${url}/api/v1/products`, { method: "POST", headers, body })).status).toBe(401);
});

const foreign: ReadonlyArray<readonly [string, string, Record<string, string>, number]> = [
	["POST", "of another site", { "sec-fetch-site": "cross-site" }, 403],
	["POST", "of another origin", { origin: "https://elsewhere.example" }, 403],
	["DELETE", "of another site", { "sec-fetch-site": "cross-site" }, 403],
	["PUT", "of its own", { "sec-fetch-site": "same-origin" }, 405],
];
for (const [method, name, headers, status] of foreign)
	test(`${method} /console/session from a page ${name} answers ${status}`, async () => {
		const response = await fetch(`${ours.server.url}/console/session`, {
			method,
			headers: { ...headers, "content-type": "application/json" },
			body: JSON.stringify(ours.person),
		});
		expect(response.status).toBe(status);
		expect(response.headers.get("set-cookie")).toBeNull();
		expect(response.headers.get("x-request-id")).toBeString();
	});

test("answers null, not an error, without a session", async () => {
	const response = await fetch(`${ours.server.url}/console/session`, { headers: { "sec-fetch-site": "same-origin" } });
	expect([response.status, await response.json()]).toEqual([200, { data: null }]);
});

test("an invited person accepts by link and signs in", async () => {
	const inviting = await ours.open();
	await inviting.page.goto("/console/settings/people");
	await inviting.page.getByRole("button", { name: "Invite", exact: true }).click();
	await inviting.page.getByLabel("Email").fill("anna@example.com");
	await inviting.page.getByRole("dialog").getByRole("button", { name: "Invite", exact: true }).click();
	const link = (await inviting.page.getByRole("dialog").locator("pre").textContent())?.trim() ?? "";
	const invited = await ours.open({ isSignedIn: false });
	await invited.page.goto(link);
	await invited.page.getByLabel("Name").fill("Anna");
	await invited.page.getByLabel("Password").fill("a long passphrase");
	expect(await invited.barriers()).toEqual([]);
	await invited.page.getByRole("button", { name: "Accept invitation" }).click();
	await invited.page.getByRole("button", { name: "Sign in" }).click();
	await signIn(invited.page, { email: "anna@example.com", password: "a long passphrase" });
	expect([...inviting.complaints, ...invited.complaints]).toEqual([]);
	await inviting.context.close();
	await invited.context.close();
});
