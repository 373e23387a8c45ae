import { heapStats } from "bun:jsc";
import { Session } from "node:inspector";

/** A request to a thread to look at itself. */
export type InspectionOrder =
	| { readonly kind: "profile"; readonly seconds: number }
	| { readonly kind: "heap" }
	| { readonly kind: "snapshot" };

/** The answer of a thread. */
export type Inspected =
	| { readonly kind: "profile"; readonly profile: CpuProfile }
	| ({ readonly kind: "heap" } & HeapFigures)
	| { readonly kind: "snapshot"; readonly snapshot: ArrayBuffer };

/** A CPU profile in the format of Chrome's developer tools (`.cpuprofile`). */
export interface CpuProfile {
	readonly nodes: ReadonlyArray<{
		readonly id: number;
		readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
		readonly hitCount?: number;
	}>;
	readonly samples?: readonly number[];
}

/** The memory of a thread's objects: bytes in use and reserved, the number of objects, and the most frequent types. */
export interface HeapFigures {
	readonly usedBytes: number;
	readonly capacityBytes: number;
	readonly objects: number;
	readonly types: ReadonlyArray<readonly [type: string, objects: number]>;
}

/** The number of types that a description of the memory lists. */
const typesMax = 10;

/** Profiles the thread that calls it, or describes its memory. A snapshot stops the thread for about 25 ms for each MB. */
export async function inspect(order: InspectionOrder): Promise<Inspected> {
	switch (order.kind) {
		case "profile":
			return { kind: "profile", profile: await profile(order.seconds) };
		case "heap":
			return { kind: "heap", ...heapFigures() };
		case "snapshot":
			return { kind: "snapshot", snapshot: Bun.generateHeapSnapshot("v8", "arraybuffer") };
	}
}

async function profile(seconds: number): Promise<CpuProfile> {
	const session = new Session();
	session.connect();
	try {
		await posted(session, "Profiler.enable");
		await posted(session, "Profiler.start");
		await Bun.sleep(seconds * 1000);
		return (await posted<{ profile: CpuProfile }>(session, "Profiler.stop")).profile;
	} finally {
		session.disconnect();
	}
}

const posted = <Answer>(session: Session, method: string): Promise<Answer> =>
	new Promise((resolve, reject) =>
		session.post(method, (error, answer) => (error ? reject(error) : resolve(answer as Answer))),
	);

function heapFigures(): HeapFigures {
	const { heapSize, heapCapacity, objectCount, objectTypeCounts } = heapStats();
	const types = Object.entries(objectTypeCounts)
		.toSorted(([, some], [, others]) => others - some)
		.slice(0, typesMax);
	return { usedBytes: heapSize, capacityBytes: heapCapacity, objects: objectCount, types };
}
