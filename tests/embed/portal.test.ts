import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Console, openConsole, type Window } from "../console/browser";
import { testPublishableKey } from "../support/process";

let ours: Console;
/** A page of another company with a policy that is as strict as possible. */
let foreign: ReturnType<typeof Bun.serve>;
let publishableKey = "";

const call = async (method: string, path: string, body?: unknown) => {
	const answer = await ours.server.call(method, path, body);
	if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
	return answer.body.data;
};

beforeAll(async () => {
	ours = await openConsole();
	publishableKey = testPublishableKey;
	foreign = Bun.serve({
		port: 0,
		fetch: (request) => {
			const { pathname, searchParams } = new URL(request.url);
			const policy = `default-src 'none'; script-src 'self' ${ours.server.url}; connect-src ${ours.server.url}; style-src 'none'; require-trusted-types-for 'script'`;
			const headers = { "content-security-policy": policy, "content-type": "text/html" };
			if (pathname === "/framing")
				return new Response(`<iframe src="${ours.server.url}/${searchParams.get("framed")}"></iframe>`, {
					headers: { "content-type": "text/html" },
				});
			const customer = searchParams.get("customer");
			const widget = searchParams.get("token")
				? `<tollgate-portal token="${searchParams.get("token")}"></tollgate-portal>`
				: customer
					? `<tollgate-portal publishable-key="${searchParams.get("key")}" customer-id="${customer}" customer-token="${searchParams.get("signed")}" manage-url="${searchParams.get("manage")}"></tollgate-portal>`
					: `<tollgate-pricing-table publishable-key="${searchParams.get("key")}" product="${searchParams.get("product") ?? "product-atlas"}"></tollgate-pricing-table>`;
			return new Response(
				`<!doctype html><html lang="en"><title>Prices</title><main><h1>Prices</h1>${widget}</main><script type="module" src="${ours.server.url}/embed/tollgate.js"></script>`,
				{ headers },
			);
		},
	});
	await call("PATCH", "/environments/current", { allowedOrigins: [foreign.url.origin] });
	await call("PATCH", "/products/product-atlas", {
		productSettings: {
			subscriptionStartSetup: "PLAN_SELECTION",
			subscriptionEndSetup: "CANCEL_SUBSCRIPTION",
			subscriptionCancellationTime: "END_OF_BILLING_PERIOD",
		},
	});
	const [entity] = await call("GET", "/legal-entities");
	await call("PATCH", `/legal-entities/${entity.id}`, { brandColor: "#7a3ff2" });
	await call("POST", "/customers", {
		id: "buyer",
		name: `<img src=x onerror="alert(1)"> & Söhne`,
		email: "buyer@example.test",
	});
	await call("POST", "/subscriptions", {
		id: "buyers",
		customerId: "buyer",
		planId: "plan-pro",
		billingPeriod: "MONTHLY",
		unitQuantity: 3,
	});
}, 60_000);
afterAll(async () => {
	await foreign?.stop(true);
	await ours?.close();
});

async function portal({
	customerId = "buyer",
	...options
}: {
	customerId?: string;
	language?: string;
} = {}): Promise<Window> {
	const { url } = await call("POST", `/customers/${customerId}/portal-sessions`, {
		returnUrl: "https://app.example/settings",
	});
	const window = await ours.open({ isSignedIn: false, ...options });
	await window.page.goto(url);
	return window;
}

test("the customer previews and raises its seats in the portal", async () => {
	const window = await portal();
	const { page, context } = window;
	await page.getByRole("heading", { name: "Subscriptions" }).waitFor();
	await page.getByText(`<img src=x onerror="alert(1)"> & Söhne`).waitFor();
	expect(new URL(page.url()).hash).toBe("");
	await page.reload();
	await page.getByRole("heading", { name: "Usage" }).waitFor();
	expect(await page.getByRole("link", { name: "Back" }).getAttribute("href")).toBe("https://app.example/settings");
	expect(await window.look("portal")).toEqual([]);
	const download = page.waitForEvent("download");
	await page.getByRole("button", { name: /^Download / }).click();
	expect(await Bun.file(await (await download).path()).text()).toStartWith("%PDF-");
	await page.getByRole("button", { name: /^Change / }).click();
	await page.getByRole("spinbutton", { name: "Seats" }).fill("6");
	await page.getByText("Due today").waitFor();
	expect(await window.look("portal-change")).toEqual([]);
	await page.getByRole("button", { name: "Confirm change" }).click();
	await page.getByText("Your subscription has been changed.").waitFor();
	await page.getByText("6 × Seats").waitFor();
	expect(window.complaints).toEqual([]);
	await context.close();
}, 60_000);

test("the portal shows the term, the commitment with its window, and the bounds of usage", async () => {
	await call("POST", "/plans", { id: "plan-committed", displayName: "Committed", productId: "product-atlas" });
	const usd = (amount: number) => ({ amount, currency: "usd" });
	await call("PATCH", "/plans/plan-committed", {
		charges: {
			pricingType: "PAID",
			pricingModels: [
				{ billingModel: "FLAT_FEE", pricePeriods: [{ billingPeriod: "MONTHLY", price: usd(300) }] },
				{
					billingModel: "USAGE_BASED",
					featureId: "feature-api-calls",
					pricePeriods: [{ billingPeriod: "MONTHLY", price: usd(0.1), minimumAmount: 10, maximumAmount: 40 }],
				},
			],
			commitments: [usd(500)],
			term: { months: 12, noticePeriodDays: 30 },
		},
	});
	await call("POST", "/plans/plan-committed/publish", { migrationType: "NEW_CUSTOMERS" });
	await call("POST", "/customers", { id: "committed", name: "Committed" });
	await call("POST", "/subscriptions", { id: "committed", customerId: "committed", planId: "plan-committed" });
	const { currentTerm, currentBillingPeriodEnd } = await call("GET", "/subscriptions/committed");
	const shown = (at: string) =>
		new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" }).format(new Date(at));
	const window = await portal({ customerId: "committed" });
	const { page, context } = window;
	await page.getByText("Term until").waitFor();
	const text = await page.locator("article").textContent();
	for (const line of [
		`Committed: US$500 by ${shown(currentBillingPeriodEnd)}; US$300 counted, US$200 missing`,
		"API calls: at least US$10, at most US$40",
		`Term until ${shown(currentTerm.endDate)}, renewed unless you cancel by ${shown(currentTerm.noticeDate)}`,
	])
		expect(text).toContain(line);
	expect(await window.look("portal-committed")).toEqual([]);
	await context.close();
	const german = await portal({ customerId: "committed", language: "de-DE" });
	await german.page.getByText(/^Zugesagt: .* gezählt, .* fehlen$/).waitFor();
	await german.context.close();
}, 60_000);

test("the customer changes its address; an invalid tax number is reported at the field", async () => {
	const window = await portal();
	const { page, context } = window;
	await page.getByRole("button", { name: "Edit" }).click();
	await page.getByLabel("Country").selectOption("DE");
	await page.getByLabel("Street and number").fill("1 Main Street");
	await page.getByLabel("City").fill("Berlin");
	await page.getByLabel("Tax number").fill("12");
	await page.getByRole("button", { name: "Save" }).click();
	await page.getByText("is no European VAT number").waitFor();
	expect(await page.getByLabel("Tax number").getAttribute("aria-invalid")).toBe("true");
	await page.getByLabel("Tax number").fill("DE136695976");
	await page.getByRole("button", { name: "Save" }).click();
	await page.getByText("Your billing details have been saved.").waitFor();
	expect((await call("GET", "/customers/buyer")).passthrough.stripe.billingAddress).toMatchObject({
		country: "DE",
		city: "Berlin",
	});
	await context.close();
}, 60_000);

test("the customer cancels in German, reads the effects, and undoes it", async () => {
	const window = await portal({ language: "de-DE" });
	const { page, context } = window;
	await page.getByRole("button", { name: "Abonnement kündigen" }).click();
	await page.getByText("bezahlt und endet dann").waitFor();
	expect(await window.look("portal-cancel-de")).toEqual([]);
	await page.getByRole("button", { name: "Ja, kündigen" }).click();
	await page.getByText("Ihr Abonnement wurde gekündigt.").waitFor();
	expect((await call("GET", "/subscriptions/buyers")).cancellationDate).not.toBeNull();
	await page.getByRole("button", { name: "Abonnement behalten" }).click();
	await page.getByText("Ihr Abonnement läuft weiter.").waitFor();
	expect((await call("GET", "/subscriptions/buyers")).cancellationDate).toBeNull();
	await context.close();
}, 60_000);

test("names with markup are shown as text", async () => {
	const html = (what: string) => `<img src=x onerror="window.ran='${what}'"> ${what}`;
	await call("POST", "/products", { id: "html", displayName: html("product"), description: html("about") });
	await call("POST", "/features", {
		...{ id: "html", displayName: html("feature"), featureUnits: html("unit"), featureUnitsPlural: html("units") },
		...{ featureType: "NUMBER", meterType: "FLUCTUATING" },
	});
	const charges = {
		pricingType: "PAID",
		pricingModels: [
			{ billingModel: "FLAT_FEE", pricePeriods: [{ billingPeriod: "MONTHLY", price: { amount: 9, currency: "usd" } }] },
		],
	};
	for (const kind of ["plan", "addon"]) {
		await call("POST", `/${kind}s`, {
			id: "html",
			productId: "html",
			displayName: html(kind),
			description: html("text"),
		});
		await call("PATCH", `/${kind}s/html`, { charges });
		await call("POST", `/${kind}s/html/entitlements`, {
			entitlements: [{ type: "FEATURE", id: "html", usageLimit: 5, displayNameOverride: html("override") }],
		});
		await call("POST", `/${kind}s/html/publish`, { migrationType: "NEW_CUSTOMERS" });
	}
	const entity = await call("POST", "/legal-entities", {
		name: html("seller"),
		numberFormat: { invoicePrefix: "H-", creditNotePrefix: "HC-" },
	});
	await call("POST", "/customers", { id: "html", name: html("customer") });
	await call("PATCH", "/customers/html/invoicing", { legalEntityId: entity.id });
	const order = { customerId: "html", planId: "html", billingPeriod: "MONTHLY", addons: [{ id: "html", quantity: 1 }] };
	const { url } = await call("POST", "/checkout-sessions", {
		...order,
		...{ successUrl: `${foreign.url}?welcome`, cancelUrl: `${foreign.url}?back` },
	});
	await call("POST", "/subscriptions", { id: "html", ...order });
	const portalOf = await call("POST", "/customers/html/portal-sessions");
	const { page, context, complaints } = await ours.open({ isSignedIn: false });
	const read = async (...texts: string[]) => {
		for (const text of texts) await page.getByText(html(text)).first().waitFor();
		expect(await page.evaluate("window.ran")).toBeUndefined();
		expect(await page.evaluate("document.querySelectorAll('img[src=x]').length")).toBe(0);
	};
	await page.goto(url);
	await page.getByText("Due today").waitFor();
	await read("seller", "plan", "addon");
	await page.goto(portalOf.url);
	await page.getByRole("button", { name: /^Change / }).click();
	await page.getByText("Addons", { exact: true }).waitFor();
	await read("seller", "customer", "plan", "addon", "feature");
	await page.goto(`${foreign.url}?key=${publishableKey}&product=html`);
	await page.getByRole("heading", { name: html("plan") }).waitFor();
	await read("plan", "text");
	expect(complaints).toEqual([]);
	await context.close();
}, 60_000);

test("an expired link shows an error; a page that frames the portal or a checkout shows nothing of it", async () => {
	const window = await ours.open({ isSignedIn: false });
	const { page, context } = window;
	await page.goto("/portal#portal-ended");
	await page.getByText("This link has expired").waitFor();
	for (const framed of ["portal", "checkout"]) {
		await page.goto(`${foreign.url}framing?${new URLSearchParams({ framed })}`);
		await page.waitForTimeout(300);
		const [, frame] = page.frames();
		expect(frame?.url()).toStartWith("chrome-error:");
	}
	await context.close();
}, 60_000);

test("the customer confirms an order with an address, a coupon and a tax number, and is redirected", async () => {
	await call("POST", "/customers", { id: "fresh", name: "Fresh Ltd" });
	await call("POST", "/coupons", {
		id: "WELCOME",
		name: "Welcome",
		description: null,
		percentOff: 10,
		amountsOff: null,
		durationInMonths: null,
		metadata: null,
	});
	const { url, id } = await call("POST", "/checkout-sessions", {
		...{ customerId: "fresh", planId: "plan-pro", billingPeriod: "MONTHLY", unitQuantity: 2 },
		...{ successUrl: `${foreign.url}?welcome`, cancelUrl: `${foreign.url}?back` },
		...{ allowPromoCodes: true, collectBillingAddress: true, allowTaxIdCollection: true },
	});
	const window = await ours.open({ isSignedIn: false });
	const { page, context } = window;
	await page.goto(url);
	await page.getByText("Due today").waitFor();
	expect(await window.look("checkout")).toEqual([]);
	await page.getByLabel("Discount code").fill("NOPE");
	await page.getByRole("button", { name: "Apply" }).click();
	await page.getByText("This code is not valid.").waitFor();
	await page.getByLabel("Discount code").fill("WELCOME");
	await page.getByRole("button", { name: "Apply" }).click();
	await page.getByText("The code was applied.").waitFor();
	await page.getByLabel("Country").selectOption("DE");
	await page.getByLabel("Street and number").fill("1 Main Street");
	await page.getByLabel("City").fill("Berlin");
	await page.getByLabel("Tax number").fill("DE136695976");
	await page.getByText("Discount", { exact: true }).first().waitFor();
	await page.getByRole("button", { name: "Place order" }).dblclick();
	await page.waitForURL(/welcome/);
	expect(await call("GET", `/checkout-sessions/${id}`)).toMatchObject({ status: "COMPLETED" });
	expect(await call("GET", "/subscriptions?customerId=fresh")).toHaveLength(1);
	await page.goto(url);
	await page.getByText("Thank you, your order is placed.").waitFor();
	await context.close();
}, 60_000);

test("the pricing table works on another company's page with a strict policy, if its origin is allowed", async () => {
	const window = await ours.open({ isSignedIn: false });
	const { page, context } = window;
	const address = `${foreign.url}?key=${publishableKey}`;
	await page.goto(address);
	await page.getByRole("heading", { name: "Pro" }).waitFor();
	await page.getByRole("button", { name: "Yearly" }).click();
	expect(await window.look("pricing-table")).toEqual([]);
	await page.evaluate("document.addEventListener('choose', (event) => { window.chosen = event.detail; })");
	await page.getByRole("button", { name: "Choose Pro" }).click();
	expect(await page.evaluate("window.chosen")).toMatchObject({ planId: "plan-pro" });
	expect(window.complaints).toEqual([]);
	const { token } = await call("POST", "/customers/buyer/portal-sessions");
	await page.goto(`${foreign.url}?token=${token}`);
	await page.getByRole("heading", { name: "Subscriptions" }).waitFor();
	expect(window.complaints).toEqual([]);
	await call("PATCH", "/environments/current", { allowedOrigins: [] });
	await page.goto(address);
	await page.getByRole("alert").waitFor();
	expect(await page.getByRole("heading", { name: "Pro" }).count()).toBe(0);
	await context.close();
}, 60_000);

test("the portal works on another company's page with a publishable key and a signed customer ID", async () => {
	const { signingSecret } = await call("PATCH", "/environments/current", {
		allowedOrigins: [foreign.url.origin],
		clientHardening: true,
	});
	const signed = new Bun.CryptoHasher("sha256", signingSecret).update("buyer").digest("hex");
	const window = await ours.open({ isSignedIn: false });
	const { page, context } = window;
	const show = (more: Record<string, string>) =>
		page.goto(
			`${foreign.url}?${new URLSearchParams({ key: publishableKey, customer: "buyer", signed, manage: "/billing", ...more })}`,
		);
	await show({});
	await page.getByRole("heading", { name: "Usage" }).waitFor();
	await page.getByText(`<img src=x onerror="alert(1)"> & Söhne`).waitFor();
	expect(await page.getByRole("link", { name: "Manage subscription" }).getAttribute("href")).toBe("/billing");
	for (const name of [/^Change/, "Cancel subscription", "Edit"])
		expect(await page.getByRole("button", { name }).count()).toBe(0);
	expect(await window.look("portal-shown")).toEqual([]);
	const download = page.waitForEvent("download");
	await page
		.getByRole("button", { name: /^Download / })
		.first()
		.click();
	expect((await download).suggestedFilename()).toEndWith(".pdf");
	expect(window.complaints).toEqual([]);
	await show({ manage: "javascript:alert(1)" });
	await page.getByRole("heading", { name: "Usage" }).waitFor();
	expect(await page.getByRole("link").count()).toBe(0);
	await show({ customer: "fresh" });
	await page.getByRole("alert").waitFor();
	expect(await page.getByRole("heading", { name: "Usage" }).count()).toBe(0);
	await context.close();
}, 60_000);

test("each widget loads less than 12 kB, compressed", async () => {
	const text = async (name: string) => await (await fetch(`${ours.server.url}/embed/${name}`)).text();
	const importedBy = async (name: string, how: RegExp): Promise<string[]> =>
		[...(await text(name)).matchAll(how)].map(([, chunk = ""]) => chunk);
	/** The file and its static imports. */
	const withImports = async (name: string): Promise<Set<string>> => {
		const chunks = await importedBy(name, /from"\.\/(chunk-[\w-]+\.js)"/g);
		return new Set([name, ...(await Promise.all(chunks.map(withImports))).flatMap((one) => [...one])]);
	};
	const size = async (names: Iterable<string>) => {
		const sizes = [...names].map(async (name) => Bun.gzipSync(Buffer.from(await text(name)), { level: 9 }).length);
		return (await Promise.all(sizes)).reduce((sum, one) => sum + one, 0);
	};
	const first = await withImports("tollgate.js");
	expect(await size(first)).toBeLessThan(12 * 1024);
	const [portal = ""] = await importedBy("tollgate.js", /import\("\.\/(chunk-[\w-]+\.js)"\)/g);
	const later = (await withImports(portal)).difference(first);
	expect(later.size).toBeGreaterThan(0);
	expect(await size(later)).toBeLessThan(12 * 1024);
});
