import { expect, test } from "bun:test";
import { Secret, TOTP } from "otpauth";
import { consoleOfFile } from "../of-file";

const opened = consoleOfFile();

/** The code of the app, `steps` of 30 seconds later. */
const codeOf = (secret: string, steps = 0): string =>
	new TOTP({ secret: Secret.fromBase32(secret.replaceAll(" ", "")) }).generate({
		timestamp: Date.now() + steps * 30_000,
	});

test("sets up a second factor, asks for it at sign-in, and turns it off with a recovery code", async () => {
	const { page } = opened.window;
	const dialog = page.getByRole("dialog");
	await page.getByRole("button", { name: /Signed in as/ }).click();
	await page.getByRole("menuitem", { name: "Your sign-in" }).click();
	expect(await opened.window.look("settings-sign-in")).toEqual([]);
	await page.getByRole("button", { name: "Set up" }).click();
	await dialog.getByLabel("Password").fill(opened.console.person.password);
	await dialog.getByRole("button", { name: "Continue" }).click();
	await dialog.getByRole("img", { name: /^QR code/ }).waitFor();
	expect(await opened.window.look("settings-second-factor")).toEqual([]);
	const key = (await dialog.locator("pre").textContent()) ?? "";
	await dialog.getByLabel("Code", { exact: true }).fill(codeOf(key));
	await dialog.getByRole("button", { name: "Turn on" }).click();
	await dialog.getByRole("heading", { name: "Recovery codes" }).waitFor();
	const codes = ((await dialog.locator("pre").textContent()) ?? "").split("\n");
	expect(new Set(codes).size).toBe(10);
	expect(await opened.window.look("settings-recovery-codes")).toEqual([]);
	await dialog.getByRole("button", { name: "I have stored them" }).click();
	await page.getByText("On", { exact: true }).waitFor();
	expect(await page.content()).not.toContain(codes[0] ?? "?");

	const other = await opened.console.open({ isSignedIn: false });
	await other.page.goto("/console");
	await other.page.getByLabel("Email").fill(opened.console.person.email);
	await other.page.getByLabel("Password").fill(opened.console.person.password);
	await other.page.getByRole("button", { name: "Sign in" }).click();
	await other.page.getByLabel("Code").fill(codeOf(key, 1));
	await other.page.getByRole("button", { name: "Sign in" }).click();
	await other.page.getByRole("navigation", { name: "Main" }).waitFor();

	await page.getByRole("button", { name: "Turn off" }).click();
	await dialog.getByRole("button", { name: "Use a recovery code" }).click();
	await dialog.getByLabel("Password").fill(opened.console.person.password);
	await dialog.getByLabel("Recovery code").fill(codes[3] ?? "");
	await dialog.getByRole("button", { name: "Turn off" }).click();
	await page.getByText("Off", { exact: true }).waitFor();
	expect(opened.window.complaints).toEqual([]);
	await other.context.close();
}, 60_000);

test("ends another session, changes the password and ends all sessions", async () => {
	const { page } = opened.window;
	const dialog = page.getByRole("dialog");
	const other = await opened.console.open({ isSignedIn: false });
	await other.page.goto("/console/tasks");
	await other.page.getByLabel("Email").fill(opened.console.person.email);
	await other.page.getByLabel("Password").fill(opened.console.person.password);
	await other.page.getByRole("button", { name: "Sign in" }).click();
	await other.page.getByRole("heading", { name: "Tasks" }).waitFor();

	await page.goto("/console/settings/sign-in");
	const sessions = page.getByRole("region", { name: "Sessions" });
	await sessions.getByText("This session").waitFor();
	const before = await sessions.getByRole("button", { name: "End" }).count();
	expect(before).toBeGreaterThan(0);
	await sessions.getByRole("button", { name: "End" }).first().click();
	await dialog.getByText(/is signed out at once/).waitFor();
	await dialog.getByRole("button", { name: "End" }).click();
	await page.waitForFunction(
		(count) => document.querySelectorAll("section[aria-label='Sessions'] tbody tr").length === count,
		before,
	);
	await other.page.reload();
	await other.page.getByLabel("Email").waitFor();

	await page.getByLabel("Current password").fill("wrong");
	await page.getByLabel("New password").fill("a much longer one");
	await page.getByRole("button", { name: "Change password" }).click();
	await page
		.getByRole("alert")
		.getByText(/is wrong/)
		.waitFor();
	await page.getByLabel("Current password").fill(opened.console.person.password);
	await page.getByRole("button", { name: "Change password" }).click();
	await page.getByText("The password was changed").waitFor();
	expect(await page.getByLabel("New password").inputValue()).toBe("");

	await page.getByRole("button", { name: "Sign out everywhere" }).click();
	await dialog.getByRole("button", { name: "Sign out everywhere" }).click();
	await page.waitForURL("**/console");
	await page.getByLabel("Email").fill(opened.console.person.email);
	await page.getByLabel("Password").fill("a much longer one");
	await page.getByRole("button", { name: "Sign in" }).click();
	await page.getByRole("navigation", { name: "Main" }).waitFor();
	await other.context.close();
}, 60_000);

test("creates an identity provider with roles and a SCIM token, and deletes it", async () => {
	const { page } = opened.window;
	const dialog = page.getByRole("dialog");
	await page.goto("/console/settings/identity-providers");
	await page.getByRole("button", { name: "New identity provider" }).click();
	await dialog.getByLabel("Name", { exact: true }).fill("Example ID");
	await dialog.getByLabel("Issuer").fill("https://id.example.com");
	await dialog.getByLabel("Client ID").fill("tollgate");
	await dialog.getByLabel("Email domains").fill("example.com\nnot a domain!");
	await dialog.getByRole("button", { name: "Add group" }).click();
	await dialog.getByLabel("Group", { exact: true }).fill("billing-admins");
	await dialog.getByRole("group", { name: "By group" }).getByLabel("Role").selectOption("ADMIN");
	await dialog.getByRole("button", { name: "Add domain" }).click();
	await dialog.getByRole("button", { name: "Create" }).click();
	// The secret is missing, one domain is invalid and the other empty: each error is at its field.
	await dialog.getByText("Required").first().waitFor();
	expect(await dialog.locator("[aria-invalid]").count()).toBe(3);
	expect(await opened.window.look("settings-identity-provider-new")).toEqual([]);
	await dialog.getByLabel("Client secret").fill("a-secret-of-the-tests-only");
	await dialog.getByLabel("Email domains").fill("example.com");
	await dialog.getByRole("button", { name: "Remove: By email domain 1" }).click();
	await dialog.getByLabel("All other people").selectOption("NOBODY");
	await dialog.getByRole("button", { name: "Create" }).click();

	await page.getByText(/\/api\/v1\/auth\/oidc\/.*\/callback/).waitFor();
	expect(await page.getByLabel("All other people").inputValue()).toBe("NOBODY");
	expect(await page.getByLabel("Group", { exact: true }).inputValue()).toBe("billing-admins");
	await page.getByLabel("Name", { exact: true }).fill("Example login");
	await page.getByRole("button", { name: "Save" }).click();
	await page.getByRole("heading", { name: "Example login" }).waitFor();
	await page.getByRole("button", { name: "Create token" }).click();
	await dialog.getByRole("button", { name: "Create token" }).click();
	await dialog.getByText("Your new token").waitFor();
	expect(await dialog.locator("pre").first().textContent()).toStartWith("scim-");
	await dialog.getByRole("button", { name: "Close" }).last().click();
	await page.getByText("Token active").waitFor();
	expect(await opened.window.look("settings-identity-provider")).toEqual([]);
	await page.getByRole("button", { name: "Refuse passwords" }).click();
	await dialog.getByText(/every session that started with a password ends/).waitFor();
	await page.keyboard.press("Escape");

	await page.getByRole("link", { name: "Identity providers" }).first().click();
	await page.getByRole("row", { name: /Example login.*example\.com/ }).waitFor();
	expect(await opened.window.look("settings-identity-providers")).toEqual([]);
	await page.getByRole("link", { name: "Example login" }).click();
	await page.getByRole("button", { name: "Delete" }).click();
	await dialog.getByText(/signed out at once/).waitFor();
	await dialog.getByRole("button", { name: "Delete" }).click();
	await page.getByText("No identity provider yet").waitFor();
}, 60_000);
