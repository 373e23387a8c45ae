import { AsyncLocalStorage } from "node:async_hooks";
import { pathOf } from "../../src/http/fast-path/forwarding";
import { assert } from "../../src/kernel/errors";
import { groupOf, RouteGroups } from "../../src/routes/groups";
import type { Services } from "../../src/server/context";

/** The services of the world whose request is under way. */
const current = new AsyncLocalStorage<Services>();

/** By the settings of the API, which routes read when they are composed. */
const shared = new Map<string, RouteGroups>();

/** The routes of sign-in keep the wrong passwords of a thread, so each world composes its own. */
const own = new WeakMap<Services, RouteGroups>();

/**
 * Handles a request of a world by routes that all worlds of this process share. To compose the routes and to compile their
 * schemas takes many times as long as to answer a request, so this is done once and not in each world.
 */
export async function handleRequest(services: Services, request: Request): Promise<Response> {
	const path = pathOf(request.url);
	if (groupOf(path) === "access") return kept(own, services, () => new RouteGroups(services)).handle(request);
	const settings = JSON.stringify([services.api, services.outgoing]);
	const groups = kept(shared, settings, () => new RouteGroups(servicesOfCurrent(services)));
	// Outside of any world, so that no composed route keeps the services of one.
	const app = await current.exit(() => groups.of(path));
	return await within(services, async () => await app.fetch(request));
}

/** Handles a request by shared routes with the services of its world. */
export const within = <T>(services: Services, handle: () => Promise<T>): Promise<T> => current.run(services, handle);

function kept<Key, Value>(
	values: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
	key: Key,
	make: () => Value,
): Value {
	const value = values.get(key) ?? make();
	values.set(key, value);
	return value;
}

/** Returns services that pass each use on to the same service of the current world (`within`), also if a route keeps them. */
export const servicesOfCurrent = (first: Services): Services =>
	Object.fromEntries(
		Object.entries(first).map(([name, service]) => [name, delegateOf(name as keyof Services, service)]),
	) as unknown as Services;

/** Numbers the worlds of this process. */
const worlds = new WeakMap<object, number>();
let worldsMade = 0;

const epochsMax = 2 ** 32;

/** The same for all worlds that share the routes. */
const constants: ReadonlySet<PropertyKey> = new Set<keyof Services>(["api", "outgoing"]);

function delegateOf<Name extends keyof Services>(name: Name, first: Services[Name]): unknown {
	if (constants.has(name)) return first;
	const real = (): Services[Name] => {
		const services = current.getStore();
		// Routes read the level of the log while they are composed.
		if (name === "log" && !services) return first;
		assert(services, `a shared route uses '${name}' within a request`);
		return services[name];
	};
	const worldOf = (): number => kept(worlds, current.getStore() ?? {}, () => worldsMade++);
	const call = (owner: object, method: unknown, args: unknown[]): unknown =>
		Reflect.apply(method as (...args: unknown[]) => unknown, owner, args);
	return new Proxy(typeof first === "function" ? () => undefined : {}, {
		apply: (_, owner, args) => call(owner, real(), args),
		get: (_, property) => {
			const isMethod = typeof Reflect.get(first, property) === "function";
			// Worlds of one preparation have the same ids, so that only the epoch tells their cached values apart.
			if (name === "transactions" && property === "epoch")
				return () => worldOf() * epochsMax + (real() as Services["transactions"]).epoch();
			if (!isMethod) return Reflect.get(real(), property);
			return (...args: unknown[]) => {
				const service = real();
				return call(service, Reflect.get(service, property), args);
			};
		},
	});
}
