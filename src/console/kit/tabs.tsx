import { Link, useLocation } from "wouter";

export interface Tab {
	readonly name: string;
	readonly path: string;
}

/** Parts of a screen, each with an address of its own. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
	const [path] = useLocation();
	return (
		<nav className="tabs" aria-label={label}>
			{tabs.map(({ name, path: to }) => (
				<Link key={to} href={to} aria-current={path === to ? "page" : undefined}>
					{name}
				</Link>
			))}
		</nav>
	);
}
