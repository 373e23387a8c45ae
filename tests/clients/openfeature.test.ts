import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Client, OpenFeature, ProviderEvents } from "@openfeature/server-sdk";
import { TollgateProvider } from "../../clients/openfeature/src/provider";
import { type CheckOptions, Tollgate } from "../../clients/typescript/src/client";
import { item } from "../areas/promotional-entitlements/grants";
import { eventually, type RunningServer, startServer, temporaryFolder, testKey } from "../support/process";

const data = temporaryFolder();
let server: RunningServer;
let tollgate: Tollgate;
let flags: Client;
const changed: string[] = [];

const insist = async (method: string, path: string, body?: unknown) => {
	const answer = await server.call(method, path, body);
	if (answer.status > 201) throw new Error(JSON.stringify(answer.body));
	return answer.body.data;
};

const region = {
	id: "region",
	displayName: "Region",
	featureType: "ENUM",
	enumConfiguration: ["eu", "us", "asia"].map((value) => ({ value, displayName: value })),
};

beforeAll(async () => {
	server = await startServer(data.folder, { TOLLGATE_DEMO: "1" });
	await insist("POST", "/features", region);
	await insist("POST", "/features", { id: "sso", displayName: "Single sign-on", featureType: "BOOLEAN" });
	await insist("POST", "/customers", { id: "ada" });
	await insist("POST", "/customers", { id: "idle" });
	await insist("POST", "/customers/ada/promotional-entitlements", {
		promotionalEntitlements: [
			item("feature-api-calls", { usageLimit: 10, period: "lifetime" }),
			item("region", { enumValues: ["us", "eu"], period: "lifetime" }),
			item("sso", { period: "lifetime" }),
		],
	});
	const client: Tollgate = new Tollgate({
		baseUrl: server.url,
		apiKey: testKey,
		onChange: (customerId, featureIds) => provider.changed(customerId, featureIds),
	});
	const provider: TollgateProvider = new TollgateProvider({ client, numbers: "remaining" });
	tollgate = client;
	await OpenFeature.setProviderAndWait(provider);
	OpenFeature.addHandler(ProviderEvents.ConfigurationChanged, (event) => {
		if (Array.isArray(event?.flagsChanged)) changed.push(...event.flagsChanged);
	});
	flags = OpenFeature.getClient();
}, 60_000);
afterAll(async () => {
	await OpenFeature.close();
	await tollgate.close();
	await server.stop();
	data.remove();
});

const ada = { targetingKey: "ada" };

test("a boolean flag returns whether access is granted", async () => {
	expect(await flags.getBooleanDetails("sso", false, ada)).toMatchObject({
		value: true,
		variant: "granted",
		reason: "TARGETING_MATCH",
	});
	expect(await flags.getBooleanDetails("sso", true, { targetingKey: "idle" })).toMatchObject({
		value: false,
		variant: "NoActiveSubscription",
		reason: "TARGETING_MATCH",
		flagMetadata: { accessDeniedReason: "NoActiveSubscription" },
	});
	expect(await flags.getBooleanValue("feature-api-calls", false, { ...ada, requestedUsage: 11 })).toBe(false);
	expect(await flags.getBooleanValue("region", false, { ...ada, requestedValues: ["eu", "asia"] })).toBe(false);
});

test("a number flag returns the remaining usage or the limit", async () => {
	await insist("POST", "/events", { events: [{ eventName: "api_call", customerId: "ada", idempotencyKey: "1" }] });
	const left = await eventually(async () => {
		const value = await flags.getNumberValue("feature-api-calls", -1, ada);
		return value === 10 ? undefined : value;
	});
	expect(left).toBe(9);
	const client = {
		check: (id: string, feature: string, asked?: CheckOptions) => tollgate.check(id, feature, asked),
		explain: tollgate.explain,
	};
	const limits = new TollgateProvider({ client });
	expect(await limits.resolveNumberEvaluation("feature-api-calls", -1, ada)).toMatchObject({ value: 10 });
});

test("a string flag returns the allowed values, an object flag the whole entitlement", async () => {
	expect(await flags.getStringValue("region", "", ada)).toBe("eu,us");
	expect(await flags.getStringDetails("region", "none", { targetingKey: "idle" })).toMatchObject({
		value: "none",
		reason: "DEFAULT",
		variant: "NoActiveSubscription",
	});
	expect(await flags.getObjectValue("region", {}, ada)).toMatchObject({ isGranted: true, enumValues: ["eu", "us"] });
	expect(await flags.getObjectValue("feature-api-calls", {}, ada)).toMatchObject({ isGranted: true, usageLimit: 10 });
});

test("a failed evaluation returns the default value and the error", async () => {
	const cases = [
		[{}, "sso", "TARGETING_KEY_MISSING"],
		[ada, "no-such-feature", "FLAG_NOT_FOUND"],
		[{ targetingKey: "nobody" }, "sso", "INVALID_CONTEXT"],
		[{ ...ada, resourceId: "nowhere" }, "sso", "INVALID_CONTEXT"],
		[{ ...ada, requestedUsage: 1 }, "sso", "TYPE_MISMATCH"],
	] as const;
	for (const [context, flag, errorCode] of cases)
		expect(await flags.getBooleanDetails(flag, true, context)).toMatchObject({
			value: true,
			reason: "ERROR",
			errorCode,
		});
	expect(await flags.getNumberDetails("sso", 7, ada)).toMatchObject({ value: 7, errorCode: "TYPE_MISMATCH" });
});

test("listeners are notified of pushed changes", async () => {
	await flags.getBooleanValue("sso", false, ada);
	await insist("DELETE", "/customers/ada/promotional-entitlements/sso");
	await eventually(async () => changed.includes("sso") || undefined);
	expect(await flags.getBooleanValue("sso", true, ada)).toBe(false);
});
