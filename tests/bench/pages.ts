import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { BrowserContext } from "playwright-core";
import { findChromium, openConsole } from "../console/browser";
import type { Row } from "./row";
import { median } from "./serving";

const rounds = 5;
const root = resolve(import.meta.dir, "../..");

interface Opened {
	/** With their headers, as they came over the wire. */
	readonly transferredBytes: number;
	readonly firstPaintMs: number;
}

/** Opens an address in a tab of its own, and waits until nothing more comes. */
async function openPage(context: BrowserContext, address: string): Promise<Opened> {
	const page = await context.newPage();
	const protocol = await context.newCDPSession(page);
	await protocol.send("Network.enable");
	let transferredBytes = 0;
	protocol.on("Network.loadingFinished", ({ encodedDataLength }) => {
		transferredBytes += encodedDataLength;
	});
	await page.goto(address, { waitUntil: "networkidle" });
	const firstPaintMs = (await page.evaluate(
		"performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN",
	)) as number;
	await page.close();
	return { transferredBytes, firstPaintMs };
}

const kB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

/**
 * Measures the weight of the pages with an empty cache, and with a filled one, in a running browser. Compressed by gzip: browsers
 * ask for better over HTTPS only.
 */
export async function measurePages(): Promise<Row[]> {
	const rows = embeddedBytes();
	if (findChromium() === undefined)
		return [...rows, { work: "pages in a browser", here: "not measured: there is no Chromium (CHROMIUM names one)" }];
	const ours = await openConsole();
	try {
		const { data } = (await ours.server.call("POST", "/customers/customer-acme/portal-sessions", {})).body;
		const signedIn = await ours.open();
		const state = await signedIn.context.storageState();
		await signedIn.context.close();
		for (const [work, address, storageState, isFirst] of [
			["first page, sign-in", "/console", undefined, true],
			["overview with its charts and figures, signed in", "/console", state, false],
			["customer's portal", data.url, undefined, false],
		] as const) {
			const first: Opened[] = [];
			const again: Opened[] = [];
			// The first round lets the server's and the browser's own code be compiled.
			for (let round = 0; round <= rounds; round += 1) {
				const context = await ours.browser.newContext({
					baseURL: ours.server.url,
					...(storageState && { storageState }),
				});
				const opened = await openPage(context, address);
				const reopened = await openPage(context, address);
				await context.close();
				if (round === 0) continue;
				first.push(opened);
				again.push(reopened);
			}
			const bytesOf = (opened: readonly Opened[]) => kB(median(opened.map(({ transferredBytes }) => transferredBytes)));
			const paintOf = (opened: readonly Opened[]) =>
				`${median(opened.map(({ firstPaintMs }) => firstPaintMs)).toFixed(0)} ms`;
			rows.push(
				{
					work: `${work}: transferred`,
					here: `${bytesOf(first)}, again ${bytesOf(again)}`,
					goal: isFirst ? "100 kB" : undefined,
				},
				{
					work: `${work}: first paint`,
					here: `${paintOf(first)}, again ${paintOf(again)}`,
					goal: isFirst ? "300 ms" : undefined,
				},
			);
		}
	} finally {
		await ours.close();
	}
	return rows;
}

/** The files that the executable contains for browsers, as the build has compressed them. */
function embeddedBytes(): Row[] {
	const bytes = ["console", "embed"].flatMap((name) => {
		const folder = join(root, "dist", name);
		return readdirSync(folder).map((file) => statSync(join(folder, file)).size);
	});
	const sum = bytes.reduce((all, one) => all + one, 0);
	return [{ work: "executable, pages and widgets in it", here: kB(sum), goal: "1 MB" }];
}
