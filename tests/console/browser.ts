import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { type RunningServer, startServer, temporaryFolder } from "../support/process";

/** The folder of the screenshots. */
export const screenshots = resolve(import.meta.dir, "screenshots");

/** They are for people to look at; no test compares them. To take them is a third of the work of these tests. */
const takesScreenshots = process.env.TOLLGATE_SCREENSHOTS !== undefined;

const axe = Bun.file(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir));

/** The user that the demo creates. */
export interface Person {
	readonly email: string;
	readonly password: string;
}

function demoPerson(folder: string): Person {
	const text = readFileSync(join(folder, "initial-keys.txt"), "utf8");
	const [, email = "", password = ""] = /^Console +(\S+)\nPassword +(\S+)$/m.exec(text) ?? [];
	return { email, password };
}

/** A desktop and a phone. */
const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;

export const findChromium = (): string | undefined =>
	process.env.CHROMIUM ?? Bun.which("chromium") ?? Bun.which("chromium-browser") ?? undefined;

/** Returns the path of Chromium, and installs it if possible. The tests are never skipped. */
function chromiumPath(): string {
	const path = findChromium();
	if (path) return path;
	const update = Bun.spawnSync(["apt-get", "update"], { stdout: "ignore", stderr: "inherit" });
	if (update.success)
		Bun.spawnSync(["apt-get", "install", "-y", "--no-install-recommends", "chromium"], {
			env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
			stdout: "ignore",
			stderr: "inherit",
		});
	const installed = findChromium();
	if (!installed)
		throw new Error("The console tests need Chromium. Install it, or set CHROMIUM to the path of its executable.");
	return installed;
}

const launch = (): Promise<Browser> =>
	chromium.launch({
		executablePath: chromiumPath(),
		args: [
			"--no-sandbox",
			"--disable-gpu",
			"--disable-quic",
			"--no-first-run",
			"--disable-background-networking",
			"--disable-component-update",
			"--disable-sync",
		],
	});

/** A server with demo data, a user and a browser. */
export interface Console {
	/** The data folder. */
	readonly folder: string;
	readonly server: RunningServer;
	readonly browser: Browser;
	readonly person: Person;
	/** Opens a window with its own session, signed in by default. */
	open(options?: { readonly isSignedIn?: boolean; readonly language?: string }): Promise<Window>;
	close(): Promise<void>;
}

export interface Window {
	readonly context: BrowserContext;
	readonly page: Page;
	/** The errors in the browser's console. A test with any fails. */
	readonly complaints: readonly string[];
	/** Returns the serious and critical accessibility findings of axe. */
	barriers(): Promise<string[]>;
	/** Shows the page in both sizes and color schemes, and returns the findings of axe. */
	look(name: string): Promise<string[]>;
}

export async function openConsole(environment: object = {}): Promise<Console> {
	const { folder, remove } = temporaryFolder();
	const server = await startServer(folder, { TOLLGATE_DEMO: "1", ...environment });
	const person = demoPerson(folder);
	const browser = await launch();
	let signedIn: Awaited<ReturnType<BrowserContext["storageState"]>> | undefined;
	return {
		folder,
		server,
		browser,
		person,
		open: async ({ isSignedIn = true, language = "en-GB" } = {}) => {
			const options = { baseURL: server.url, viewport: sizes.wide, locale: language, timezoneId: "Europe/Berlin" };
			const context = await browser.newContext({
				...options,
				...(isSignedIn && signedIn && { storageState: signedIn }),
			});
			const window = await openWindow(context);
			if (isSignedIn && !signedIn) {
				await signIn(window.page, person);
				signedIn = await context.storageState();
			}
			return window;
		},
		close: async () => {
			await browser.close();
			await server.stop();
			remove();
		},
	};
}

export async function signIn(page: Page, person: Person): Promise<void> {
	await page.goto("/console");
	await page.getByLabel(/^(Email|E-Mail)$/).fill(person.email);
	await page.getByLabel(/^(Password|Passwort)$/).fill(person.password);
	await page.getByRole("button", { name: /^(Sign in|Anmelden)$/ }).click();
	await page.getByRole("navigation").waitFor();
}

async function openWindow(context: BrowserContext): Promise<Window> {
	const page = await context.newPage();
	page.setDefaultTimeout(15_000);
	const complaints: string[] = [];
	page.on("console", (message) => {
		if (message.type() === "error") complaints.push(`${message.text()} (${message.location().url})`);
	});
	page.on("pageerror", (error) => complaints.push(String(error)));
	const barriers = async (): Promise<string[]> => {
		// Evaluated by the protocol, which bypasses the content security policy of the page.
		if (!(await page.evaluate("'axe' in window"))) await page.evaluate(await axe.text());
		const { violations } = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as {
			violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
		};
		return violations
			.filter(({ impact }) => impact === "serious" || impact === "critical")
			.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
	};
	return {
		context,
		page,
		complaints,
		barriers,
		look: async (name) => {
			if (takesScreenshots) mkdirSync(screenshots, { recursive: true });
			const found: string[] = [];
			for (const colorScheme of ["light", "dark"] as const) {
				await page.emulateMedia({ colorScheme });
				found.push(...(await barriers()));
				for (const [size, viewport] of Object.entries(sizes)) {
					await page.setViewportSize(viewport);
					const path = join(screenshots, `${name}-${size}-${colorScheme}.png`);
					if (takesScreenshots) await page.screenshot({ path, fullPage: true });
				}
				await page.setViewportSize(sizes.wide);
			}
			await page.emulateMedia({ colorScheme: "light" });
			return found;
		},
	};
}
