import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { approve, Browser, startProvider } from "../areas/identity-providers/support";
import { command, ended, start, startServer, temporaryFolder } from "../support/process";
import { commandsOf, textOf } from "./pages";

interface Me {
	readonly data: { readonly memberships: ReadonlyArray<{ readonly role: string }> };
}

test("docs/sign-in.md: against a real provider and a whole server, people sign in, are provisioned and deactivated", async () => {
	const { folder, remove } = temporaryFolder();
	mkdirSync(join(folder, "bin"));
	writeFileSync(join(folder, "bin/tollgate"), `#!/bin/sh\nexec ${command.join(" ")} "$@"\n`);
	chmodSync(join(folder, "bin/tollgate"), 0o755);
	const provider = await startProvider();
	const server = await startServer(join(folder, "data"), {
		TOLLGATE_WEBHOOKS_ALLOW_PRIVATE: "1",
		TOLLGATE_HTTP_THREADS: "2",
	});
	const shell = async (commands: string) => {
		const { status, output } = await ended(
			start(
				["sh", "-eu", "-c", `exec 2>&1\nAPI=${server.url}/api/v1\n${commands}`],
				{ PATH: `${join(folder, "bin")}:${process.env.PATH}`, HOME: folder },
				{ cwd: folder },
			),
		);
		expect({ status, output: status === 0 || output }).toEqual({ status: 0, output: true });
		return output;
	};
	const signIn = async (id: string, login: string, returnTo = "") => {
		const browser = new Browser();
		const begun = await fetch(`${server.url}/api/v1/auth/oidc/${id}/start${returnTo}`, { redirect: "manual" });
		expect(begun.status).toBe(302);
		browser.keep(begun.headers);
		const callback = await approve(new URL(begun.headers.get("location") ?? ""), login);
		const headers = { cookie: browser.cookies };
		return fetch(`${server.url}${callback}`, { headers, redirect: "manual" });
	};
	try {
		const [owner = "", add = "", ...others] = commandsOf(await textOf("docs/sign-in.md"));
		const setUp = `${owner}\n${add.replace("https://id.example.com", provider.issuer)}`;
		const id = (await shell(`${setUp}\nprintf '\\nPROVIDER=%s' "$PROVIDER"`)).split("PROVIDER=")[1] ?? "";
		const token = async (login: string): Promise<string> => {
			const answer = await signIn(id, login);
			const body = (await answer.json()) as { data: { token: string } };
			expect({ status: answer.status, body }).toMatchObject({ status: 200 });
			return body.data.token;
		};
		const roleOf = async (login: string) => {
			const headers = { authorization: `Bearer ${await token(login)}` };
			const { data } = (await (await fetch(`${server.url}/api/v1/me`, { headers })).json()) as Me;
			return data.memberships[0]?.role;
		};
		expect(await roleOf("admin-grace")).toBe("ADMIN");
		expect(await roleOf("bob")).toBe("READ_ONLY");
		const toConsole = await signIn(id, "bob", "?returnTo=/console");
		expect([toConsole.status, toConsole.headers.get("location")]).toEqual([302, "/console"]);
		// The refusal of a write by name comes across threads as it is.
		const stranger = await signIn(id, "eve@other.test");
		expect([stranger.status, ((await stranger.json()) as { code: string }).code]).toEqual([403, "IdentityForbidden"]);
		const rest = await shell(`${owner.split("\n").slice(1).join("\n")}\nPROVIDER=${id}\n${others.join("\n")}`);
		expect(rest).toContain("not required");
		expect(rest).toContain('"active":false');
		const ada = await signIn(id, "ada");
		expect([ada.status, ((await ada.json()) as { message: string }).message]).toEqual([
			403,
			expect.stringContaining("deactivated"),
		]);
	} finally {
		await server.stop();
		await provider.stop();
		remove();
	}
}, 60_000);
