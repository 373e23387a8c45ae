/** The failure of requests whose key and method match, until it is removed. */
export interface Fault {
	readonly kind: /** The answer is a failure, as S3 words it. */
		| { readonly status: number; readonly code: string }
		/** Never answered; the body is read. */
		| "silence"
		/** Half of the body, then the connection ends. */
		| "half body"
		/** All bytes, of which one is another. */
		| "damage";
	readonly method?: string;
	/** For so many requests; for all when left out. */
	times?: number;
}

export interface ObjectServer {
	readonly endpoint: string;
	readonly bucket: string;
	/** By key. Tests look at them, damage them and throw them away. */
	readonly objects: Map<string, Uint8Array<ArrayBuffer>>;
	/** `METHOD key range`, in the order in which they came. */
	readonly requests: string[];
	/** The key and the secret that it knows. */
	readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
	/** Makes requests fail; what it answers takes that away. */
	fail(fault: Fault): () => void;
	/** Nobody listens any more; `start` does again, on the same port. */
	stop(): Promise<void>;
	start(): void;
}

export const bucket = "old-events";
const credentials = { accessKeyId: "test-id", secretAccessKey: "test-secret" };

const refusal = (status: number, code: string): Response =>
	new Response(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>said by a test</Message></Error>`, {
		status,
		headers: { "content-type": "application/xml" },
	});

/**
 * A small storage that speaks S3 over HTTP: objects of one bucket, in memory, whole, by range and in parts. It takes what is
 * signed with its key (SigV4 in the header; the signature itself is compared with none, the access key is).
 */
export function objectServer(): ObjectServer {
	const objects = new Map<string, Uint8Array<ArrayBuffer>>();
	const uploads = new Map<string, Map<number, Uint8Array<ArrayBuffer>>>();
	const requests: string[] = [];
	const faults: Fault[] = [];

	const faultFor = (method: string): Fault["kind"] | undefined => {
		const fault = faults.find((one) => one.method === undefined || one.method === method);
		if (fault?.times !== undefined) {
			fault.times -= 1;
			if (fault.times <= 0) faults.splice(faults.indexOf(fault), 1);
		}
		return fault?.kind;
	};

	const answer = async (request: Request): Promise<Response> => {
		const { pathname, searchParams } = new URL(request.url);
		const [, asked, ...path] = decodeURIComponent(pathname).split("/");
		const key = path.join("/");
		const range = request.headers.get("range");
		requests.push(`${request.method} ${key}${range ? ` ${range}` : ""}`);
		const body = new Uint8Array(await request.arrayBuffer());
		const refused = refusalOf(request, asked);
		if (refused) return refused;
		const fault = faultFor(request.method);
		if (fault === "silence") return new Promise<Response>(() => {});
		if (typeof fault === "object") return refusal(fault.status, fault.code);
		switch (request.method) {
			case "PUT":
				return put(key, searchParams, body);
			case "POST":
				return post(key, searchParams);
			case "HEAD":
			case "GET":
				if (searchParams.has("list-type")) return listed(searchParams.get("prefix") ?? "");
				return get(key, range, request.method === "HEAD", fault);
			case "DELETE":
				objects.delete(key);
				return new Response(null, { status: 204 });
			default:
				return refusal(405, "MethodNotAllowed");
		}
	};

	const put = (key: string, query: URLSearchParams, body: Uint8Array<ArrayBuffer>): Response => {
		const upload = query.get("uploadId");
		if (upload === null) objects.set(key, body);
		else uploads.get(upload)?.set(Number(query.get("partNumber")), body);
		return new Response("", { headers: { etag: '"a-tag"' } });
	};

	const post = (key: string, query: URLSearchParams): Response => {
		const upload = query.get("uploadId");
		if (upload === null) {
			const id = crypto.randomUUID();
			uploads.set(id, new Map());
			return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
		}
		const parts = [...(uploads.get(upload) ?? [])].sort(([one], [other]) => one - other);
		objects.set(key, new Uint8Array(Buffer.concat(parts.map(([, part]) => part))));
		return xml('<CompleteMultipartUploadResult><ETag>"a-tag"</ETag></CompleteMultipartUploadResult>');
	};

	const get = (key: string, range: string | null, isHead: boolean, fault: Fault["kind"] | undefined): Response => {
		const object = objects.get(key);
		if (!object) return isHead ? new Response(null, { status: 404 }) : refusal(404, "NoSuchKey");
		const [, from = "0", to = ""] = /^bytes=(\d+)-(\d*)$/.exec(range ?? "") ?? [];
		if (range && Number(from) >= object.length) return refusal(416, "InvalidRange");
		const part = object.slice(Number(from), to === "" ? undefined : Number(to) + 1);
		if (fault === "damage") part[part.length >> 1] = (part[part.length >> 1] ?? 0) ^ 1;
		const status = range ? 206 : 200;
		if (isHead) return new Response(null, { status, headers: { "content-length": `${object.length}` } });
		if (fault !== "half body") return new Response(part, { status });
		const half = new ReadableStream({
			async start(controller) {
				controller.enqueue(part.subarray(0, part.length >> 1));
				await Bun.sleep(20);
				controller.error(new Error("half of it"));
			},
		});
		return new Response(half, { status, headers: { "content-length": `${part.length}` } });
	};

	const listed = (prefix: string): Response => {
		const found = [...objects].filter(([key]) => key.startsWith(prefix));
		const contents = found.map(([key, { length }]) => `<Contents><Key>${key}</Key><Size>${length}</Size></Contents>`);
		return xml(`<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join("")}</ListBucketResult>`);
	};

	const listen = (port: number) =>
		Bun.serve({ port, hostname: "127.0.0.1", idleTimeout: 0, development: false, fetch: answer });
	let server = listen(0);
	const { port = 0 } = server;
	return {
		endpoint: `http://127.0.0.1:${port}`,
		bucket,
		objects,
		requests,
		credentials,
		fail: (fault) => {
			const standing = { ...fault };
			faults.push(standing);
			return () => void faults.splice(0, faults.length, ...faults.filter((one) => one !== standing));
		},
		stop: () => server.stop(true),
		start: () => {
			server = listen(port);
		},
	};
}

function refusalOf({ headers }: Request, asked: string | undefined): Response | undefined {
	const signed =
		/^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/[^/]+\/s3\/aws4_request,? ?SignedHeaders=[^,]+,? ?Signature=[0-9a-f]{64}$/.exec(
			headers.get("authorization") ?? "",
		);
	if (!signed) return refusal(403, "AccessDenied");
	if (headers.has("x-amz-security-token")) return refusal(400, "InvalidToken");
	if (signed[1] !== credentials.accessKeyId) return refusal(403, "InvalidAccessKeyId");
	return asked === bucket ? undefined : refusal(404, "NoSuchBucket");
}

const xml = (text: string): Response =>
	new Response(`<?xml version="1.0"?>${text}`, { headers: { "content-type": "application/xml" } });
