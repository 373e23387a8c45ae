import { afterAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { assertKnown, describeSettings, readConfig } from "../src/config/config";
import { ConfigError } from "../src/config/setting";
import { temporaryFolder } from "./support/process";

const { folder, remove } = temporaryFolder();
afterAll(remove);

const file = (name: string, text: string): string => {
	const path = join(folder, name);
	writeFileSync(path, text);
	return path;
};

/** As `serve --help` lists them. */
const settings = [...describeSettings().matchAll(/^ {2}(TOLLGATE_\w+) +\S/gm)].map(([, name = ""]) => name);

describe("a setting in a file", () => {
	test("counts as the variable itself, without the line's end", () => {
		const key = "server-0123456789abcdef";
		const config = readConfig({
			TOLLGATE_BOOTSTRAP_API_KEY_FILE: file("key", `${key}\n`),
			TOLLGATE_PORT_FILE: file("port", "4321\n"),
		});
		expect(config).toMatchObject({ bootstrapApiKey: key, port: 4321 });
	});

	test.each([
		["a file that is not there", { TOLLGATE_PORT_FILE: join(folder, "none") }, "TOLLGATE_PORT_FILE must name a file"],
		["a folder", { TOLLGATE_PORT_FILE: folder }, "TOLLGATE_PORT_FILE must name a file"],
		["both", { TOLLGATE_PORT: "1", TOLLGATE_PORT_FILE: file("one", "1") }, "TOLLGATE_PORT or TOLLGATE_PORT_FILE"],
		["what is wrong in it", { TOLLGATE_PORT_FILE: file("two", "http") }, "TOLLGATE_PORT must be a port"],
		["a large one", { TOLLGATE_HOST_FILE: file("large", "x".repeat(70_000)) }, "at most 65536 bytes"],
	])("%s is refused", (_, environment, message) => {
		expect(() => readConfig(environment)).toThrow(message);
		expect(() => readConfig(environment)).toThrow(ConfigError);
	});
});

describe("a variable that is no setting", () => {
	test.each([
		["TOLLGATE_PROT", "TOLLGATE_PORT"],
		["TOLLGATE_DATADIR", "TOLLGATE_DATA_DIR"],
		["TOLLGATE_LOGLEVEL", "TOLLGATE_LOG_LEVEL"],
		["TOLLGATE_HOSTS_FILE", "TOLLGATE_HOST"],
	])("%s is refused, naming %s", (name, nearest) => {
		expect(() => assertKnown({ [name]: "x" })).toThrow(`There is no setting '${name}'; did you mean ${nearest}?`);
	});

	test("those that are settings pass, and what is not ours", () => {
		const own = settings.flatMap((name) => [name, `${name}_FILE`]);
		expect(() =>
			assertKnown(Object.fromEntries([...own, "PATH", "tollgate_x"].map((name) => [name, "x"]))),
		).not.toThrow();
	});
});

test("docs/operating.md has the same settings as `serve --help`", async () => {
	const page = await Bun.file(join(import.meta.dir, "../docs/operating.md")).text();
	const rows = [...page.matchAll(/^\| (`TOLLGATE_.*?) \|/gm)].map(([, names = ""]) => names);
	expect(rows.flatMap((names) => names.match(/TOLLGATE_\w+/g) ?? []).sort()).toEqual(settings.toSorted());
});

describe("TOLLGATE_HTTP_THREADS", () => {
	test("is as many as are said, and without a word at least one and at most eight", () => {
		expect(readConfig({ TOLLGATE_HTTP_THREADS: "3" }).httpThreads).toBe(3);
		const { httpThreads } = readConfig({});
		expect(httpThreads).toBeGreaterThanOrEqual(1);
		expect(httpThreads).toBeLessThanOrEqual(8);
	});

	test.each(["0", "17", "two", "-1", "1.5"])("%p is refused with what it must be", (threads) => {
		expect(() => readConfig({ TOLLGATE_HTTP_THREADS: threads })).toThrow(
			"TOLLGATE_HTTP_THREADS must be a number from 1 to 16",
		);
	});
});

describe("TOLLGATE_WEBHOOKS_KEEP_DAYS", () => {
	test("is a month without a word, and as many days as are said", () => {
		expect(readConfig({}).webhooksKeepDays).toBe(30);
		expect(readConfig({ TOLLGATE_WEBHOOKS_KEEP_DAYS: "7" }).webhooksKeepDays).toBe(7);
	});

	// Longer than a delivery is tried: what it would send would be gone.
	test.each(["0", "6", "x", "100000"])("%p is refused with what it must be", (days) => {
		expect(() => readConfig({ TOLLGATE_WEBHOOKS_KEEP_DAYS: days })).toThrow("a number of days from 7 to 99999");
	});
});

describe("the storage of old events", () => {
	const key = { TOLLGATE_S3_ACCESS_KEY_ID: "id", TOLLGATE_S3_SECRET_ACCESS_KEY: "do-not-tell" };
	const set = { TOLLGATE_S3_BUCKET: "acme-usage", ...key };

	test("is none when nothing is said, and that of AWS where only the bucket is", () => {
		expect(readConfig({}).storage).toBeUndefined();
		expect(readConfig({ ...set, TOLLGATE_S3_REGION: "eu-central-1" }).storage).toEqual({
			bucket: "acme-usage",
			endpoint: "https://s3.eu-central-1.amazonaws.com",
			region: "eu-central-1",
			prefix: "",
			accessKeyId: "id",
			secretAccessKey: "do-not-tell",
			cacheBytesMax: 256 * 1024 * 1024,
		});
	});

	test.each([
		["http://127.0.0.1:9000", "http://127.0.0.1:9000"],
		["https://s3.example.com/", "https://s3.example.com"],
	])("is at the endpoint %s", (given, endpoint) => {
		const { storage } = readConfig({ ...set, TOLLGATE_S3_ENDPOINT: given, TOLLGATE_S3_PREFIX: "a/b" });
		expect(storage).toMatchObject({ endpoint, prefix: "a/b/" });
	});

	test.each([
		["without a secret", { ...set, TOLLGATE_S3_SECRET_ACCESS_KEY: "" }, "TOLLGATE_S3_SECRET_ACCESS_KEY must be"],
		["without a key", { ...set, TOLLGATE_S3_ACCESS_KEY_ID: "" }, "TOLLGATE_S3_ACCESS_KEY_ID must be"],
		["without a bucket", key, "TOLLGATE_S3_BUCKET must be set"],
		["with a prefix and no bucket", { TOLLGATE_S3_PREFIX: "a" }, "TOLLGATE_S3_BUCKET must be set"],
		["with a bucket that is none", { ...set, TOLLGATE_S3_BUCKET: "s3://acme" }, "TOLLGATE_S3_BUCKET must be"],
		["with a host only", { ...set, TOLLGATE_S3_ENDPOINT: "s3.example.com" }, "TOLLGATE_S3_ENDPOINT must be"],
		["with a path", { ...set, TOLLGATE_S3_ENDPOINT: "https://example.com/b" }, "TOLLGATE_S3_ENDPOINT must be"],
		["with a user", { ...set, TOLLGATE_S3_ENDPOINT: "https://do-not-tell@x.de" }, "TOLLGATE_S3_ENDPOINT must be"],
		["by another protocol", { ...set, TOLLGATE_S3_ENDPOINT: "ftp://x.de" }, "TOLLGATE_S3_ENDPOINT must be"],
		["with an absolute prefix", { ...set, TOLLGATE_S3_PREFIX: "/a" }, "TOLLGATE_S3_PREFIX must be"],
		["with an empty folder", { ...set, TOLLGATE_S3_PREFIX: "a//b" }, "TOLLGATE_S3_PREFIX must be"],
		["with too little room", { ...set, TOLLGATE_S3_CACHE_MIB: "63" }, "TOLLGATE_S3_CACHE_MIB must be"],
		["with a region that is none", { ...set, TOLLGATE_S3_REGION: "eu central" }, "TOLLGATE_S3_REGION must be"],
	])("%s is refused, without showing the secret", (_, environment, message) => {
		expect(() => readConfig(environment)).toThrow(message);
		try {
			readConfig(environment);
		} catch (error) {
			expect(String(error)).not.toContain("do-not-tell");
		}
	});
});

describe("the ways in", () => {
	test("are open unless they are narrowed", () => {
		expect(readConfig({}).api).toEqual({
			edgeCallsPerSecondMax: 100,
			introspection: true,
			operations: undefined,
			allowPrivateWebhooks: false,
			publicUrl: undefined,
			mail: undefined,
			sessions: { lifetimeMs: 12 * 60 * 60 * 1000, idleMs: undefined },
		});
		const query = "{ products { totalCount } }";
		const { api } = readConfig({
			TOLLGATE_EDGE_CALLS_PER_SECOND: "5",
			TOLLGATE_GRAPHQL_INTROSPECTION: "0",
			TOLLGATE_PUBLIC_URL: "https://billing.example.com",
			TOLLGATE_SMTP_URL: "smtps://me:secret@mail.example.com",
			TOLLGATE_MAIL_FROM: "Tollgate <billing@example.com>",
			TOLLGATE_SESSION_HOURS: "2",
			TOLLGATE_SESSION_IDLE_MINUTES: "30",
			TOLLGATE_GRAPHQL_OPERATIONS: file("operations.json", JSON.stringify([query])),
		});
		const hash = new Bun.CryptoHasher("sha256").update(query).digest("hex");
		expect(api).toEqual({
			edgeCallsPerSecondMax: 5,
			introspection: false,
			operations: { [hash]: query },
			allowPrivateWebhooks: false,
			publicUrl: "https://billing.example.com",
			mail: { url: "smtps://me:secret@mail.example.com", from: "Tollgate <billing@example.com>" },
			sessions: { lifetimeMs: 2 * 60 * 60 * 1000, idleMs: 30 * 60 * 1000 },
		});
	});

	test.each([
		["TOLLGATE_EDGE_CALLS_PER_SECOND", "0"],
		["TOLLGATE_GRAPHQL_INTROSPECTION", "no"],
		["TOLLGATE_GRAPHQL_OPERATIONS", join(folder, "nowhere.json")],
		["TOLLGATE_GRAPHQL_OPERATIONS", file("texts.json", "{}")],
		["TOLLGATE_GRAPHQL_OPERATIONS", file("numbers.json", "[5]")],
	])("%s is not '%s'", (name, value) => {
		expect(() => readConfig({ [name]: value })).toThrow(name);
	});
});

describe("the settings of backups", () => {
	const key = "ab".repeat(32);
	const set = { TOLLGATE_BACKUP_EVERY: "6h", TOLLGATE_BACKUP_TO: "/backups", TOLLGATE_BACKUP_KEY: key };
	const bucket = {
		TOLLGATE_BACKUP_TO: "s3://acme-backups/tollgate/production",
		TOLLGATE_S3_ACCESS_KEY_ID: "id",
		TOLLGATE_S3_SECRET_ACCESS_KEY: "do-not-tell",
	};

	test("are a time, a place and a key, and what is kept", () => {
		expect(readConfig({}).backups).toBeUndefined();
		expect(
			readConfig({ ...set, TOLLGATE_BACKUP_KEY_FILE: file("backup-key", `${key}\n`), TOLLGATE_BACKUP_KEY: "" }).backups,
		).toEqual({
			...{ everyMs: 21_600_000, key, to: { kind: "folder", path: "/backups" } },
			keep: { hourly: 24, daily: 7, weekly: 4, monthly: 0 },
		});
		const { backups } = readConfig({ ...set, TOLLGATE_BACKUP_KEEP: "monthly=12, daily=3" });
		expect(backups?.keep).toEqual({ hourly: 0, daily: 3, weekly: 0, monthly: 12 });
	});

	test("a bucket for backups needs none for old events", () => {
		const { backups, storage } = readConfig({ ...set, ...bucket, TOLLGATE_S3_ENDPOINT: "http://127.0.0.1:9000" });
		expect(storage).toBeUndefined();
		expect(backups?.to).toEqual({
			kind: "bucket",
			storage: {
				...{ bucket: "acme-backups", prefix: "tollgate/production/", endpoint: "http://127.0.0.1:9000" },
				...{ region: "us-east-1", accessKeyId: "id", secretAccessKey: "do-not-tell" },
			},
		});
	});

	test.each([
		["without a place", { ...set, TOLLGATE_BACKUP_TO: "" }, "TOLLGATE_BACKUP_TO must be set"],
		["without a key", { ...set, TOLLGATE_BACKUP_KEY: "" }, "TOLLGATE_BACKUP_KEY must be set"],
		["without a time", { ...set, TOLLGATE_BACKUP_EVERY: "" }, "TOLLGATE_BACKUP_EVERY must be set"],
		["too often", { ...set, TOLLGATE_BACKUP_EVERY: "4m" }, "a time from 5m to 7d"],
		["too seldom", { ...set, TOLLGATE_BACKUP_EVERY: "169h" }, "a time from 5m to 7d"],
		["at no time", { ...set, TOLLGATE_BACKUP_EVERY: "daily" }, "TOLLGATE_BACKUP_EVERY must be a time"],
		["with half a key", { ...set, TOLLGATE_BACKUP_KEY: "ab".repeat(16) }, "`openssl rand -hex 32` makes them"],
		["in a relative folder", { ...set, TOLLGATE_BACKUP_TO: "backups" }, "the absolute path of a folder outside"],
		[
			"in the data folder",
			{ ...set, TOLLGATE_BACKUP_TO: "/d/b", TOLLGATE_DATA_DIR: "/d" },
			"outside of the data folder",
		],
		["in a bucket without a name", { ...set, ...bucket, TOLLGATE_BACKUP_TO: "s3://" }, "TOLLGATE_BACKUP_TO must be"],
		["in a bucket without a key", { ...set, TOLLGATE_BACKUP_TO: "s3://acme" }, "together with TOLLGATE_BACKUP_TO"],
		["where none is kept", { ...set, TOLLGATE_BACKUP_KEEP: "daily=0" }, "not all of them 0"],
		[
			"where a kind is given twice",
			{ ...set, TOLLGATE_BACKUP_KEEP: "daily=1,daily=2" },
			"TOLLGATE_BACKUP_KEEP must be",
		],
		["where too many are kept", { ...set, TOLLGATE_BACKUP_KEEP: "hourly=1001" }, "each at most 1000"],
		["where a kind is unknown", { ...set, TOLLGATE_BACKUP_KEEP: "yearly=1" }, "TOLLGATE_BACKUP_KEEP must be"],
		[
			"that are kept longer than the objects they need",
			{ ...set, ...bucket, TOLLGATE_S3_BUCKET: "acme-usage", TOLLGATE_BACKUP_KEEP: "monthly=12" },
			"TOLLGATE_BACKUPS_KEEP_DAYS must be at least 372",
		],
	])("%s are refused with the remedy, without showing a secret", (_, environment, message) => {
		expect(() => readConfig(environment)).toThrow(message);
		expect(() => readConfig(environment)).toThrow(ConfigError);
		expect(() => readConfig(environment)).not.toThrow(/do-not-tell|abab/);
	});

	test.each([
		["hourly=24,daily=7,weekly=4", 28],
		["hourly=49", 3],
		["monthly=12", 372],
	])("kept as %s need replaced objects for %d days", (keep, days) => {
		const keeping = (objectDays: number) => ({
			...{ ...set, ...bucket, TOLLGATE_S3_BUCKET: "acme-usage" },
			...{ TOLLGATE_BACKUP_KEEP: keep, TOLLGATE_BACKUPS_KEEP_DAYS: String(objectDays) },
		});
		expect(() => readConfig(keeping(days - 1))).toThrow(`must be at least ${days},`);
		expect(() => readConfig(keeping(days))).not.toThrow();
	});
});
