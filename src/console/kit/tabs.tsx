import { useEffect, useRef } from "react";
import { Link, useLocation } from "wouter";

export interface Tab {
	readonly name: string;
	readonly path: string;
}

/** The tabs of a screen, each with its own address. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
	const [path] = useLocation();
	// The page of one item belongs to the tab of its list.
	const current = tabs
		.map(({ path: to }) => to)
		.filter((to) => path === to || path.startsWith(`${to}/`))
		.reduce((longest, to) => (to.length > longest.length ? to : longest), "");
	const nav = useRef<HTMLElement>(null);
	// biome-ignore lint/correctness/useExhaustiveDependencies: on a phone not all of them are in sight.
	useEffect(() => {
		// Newer browsers return a promise, which an effect must not return.
		void nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
	}, [current]);
	return (
		<nav ref={nav} className="tabs" aria-label={label}>
			{tabs.map(({ name, path: to }) => (
				<Link key={to} href={to} aria-current={to === current ? "page" : undefined}>
					{name}
				</Link>
			))}
		</nav>
	);
}
