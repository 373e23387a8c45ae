/** SVG paths on a 16 × 16 grid, drawn in the text colour. */
const drawings = {
	overview: "M2.5 8.5 8 3l5.5 5.5M4 7.5V13h8V7.5",
	customers:
		"M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M10.5 3a2.2 2.2 0 0 1 0 4.2M12 9.8c1.6.4 2.5 1.7 2.5 3.7",
	subscriptions: "M13.5 8a5.5 5.5 0 0 1-9.7 3.5M2.5 8a5.5 5.5 0 0 1 9.7-3.5M12.5 1.5v3h-3M3.5 14.5v-3h3",
	contracts: "M4 1.5h5.5l3 3v10H4zM9.5 1.5v3h3M6 8h4.5M6 11h4.5",
	invoices: "M3.5 1.5h9v13L10.8 13 9.2 14.5 8 13.2 6.8 14.5 5.2 13l-1.7 1.5zM6 5h4M6 8h4",
	receipts: "M1.5 4h13v8h-13zM8 10.200a2.200 2.200 0 1 0 0-4.400 2.200 2.200 0 0 0 0 4.400ZM3.500 6v4m9-4v4",
	credits:
		"M8 14a6 6 0 1 0 0-12 6 6 0 0 0 0 12ZM10 6.2C9.7 5.4 9 5 8 5 6.800 5 6 5.600 6 6.500c0 2 4 1 4 3C10 10.400 9.200 11 8 11s-1.800-.4-2-1.200M8 4v1m0 6v1",
	products: "m8 1.800 5.500 3v6.400L8 14.200l-5.500-3V4.800zM2.500 4.800 8 8l5.500-3.200M8 8v6.200",
	plans: "M2.500 3h11v3h-11zM2.500 8.500h5v4.500h-5zM10 8.500h3.500V13H10z",
	addons: "M8 3v10M3 8h10M2 2h12v12H2z",
	features:
		"M2.500 4h7M12 4h1.500M2.500 8H4M6.500 8h7M2.500 12h5M10 12h3.500M10.800 2.800v2.400M5.200 6.800v2.400M8.800 10.800v2.400",
	coupons: "M1.500 4h13v2.500a1.500 1.500 0 0 0 0 3V12h-13V9.500a1.500 1.500 0 0 0 0-3zM9.500 4.500v7",
	taxes:
		"M12.500 3.500l-9 9M5 6.500a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3ZM11 12.500a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3Z",
	events: "M1.500 8h3l2-5 3 10 2-5h3",
	webhooks: "M5.500 6.500a3 3 0 1 1 4-.5l2 4M8 5 5.500 10M4 8.500a3 3 0 1 0 3.500 3H12M10.500 9a3 3 0 1 1-.5 4.500",
	tasks: "M2.500 4.500 4 6l2.500-3M2.500 11.500 4 13l2.500-3M9 4.500h5M9 11.500h5",
	audit: "M8 1.500 13 3.500V8c0 3-2 5.200-5 6.500C5 13.200 3 11 3 8V3.500zM5.800 8l1.600 1.600L10.400 6.500",
	settings:
		"M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM8 1.500v2M8 12.500v2M1.500 8h2M12.500 8h2M3.400 3.400l1.400 1.400M11.200 11.200l1.400 1.400M12.600 3.400l-1.400 1.400M4.800 11.200l-1.400 1.400",
	search: "M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9ZM10.500 10.500 14 14",
	menu: "M2 4h12M2 8h12M2 12h12",
	close: "m3.500 3.500 9 9M12.500 3.500l-9 9",
	down: "m4 6 4 4 4-4",
	copy: "M5.500 5.500h8v8h-8zM3.500 10.500h-1v-8h8v1",
	check: "m3 8.500 3.500 3.500L13 4.500",
	warning: "M8 2 14.500 13.500h-13zM8 6.500v3.200M8 11.500v.3",
	terminal: "M1.500 2.500h13v11h-13zM4 6l2 2-2 2M8 10.500h3.500",
	plus: "M8 3v10M3 8h10",
	right: "m6 4 4 4-4 4",
	left: "m10 4-4 4 4 4",
	up: "M8 13V3M4 7l4-4 4 4",
	external: "M9.500 2.500h4v4M13.500 2.500 8 8M11.500 9v4.500h-9v-9H7",
	clock: "M8 14a6 6 0 1 0 0-12 6 6 0 0 0 0 12ZM8 4.500V8l2.500 1.500",
	user: "M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2.500 14.500c0-3 2.500-4.500 5.500-4.500s5.500 1.500 5.500 4.500",
} as const;

export type IconName = keyof typeof drawings;

/** A decorative icon. The text or the button label must carry its meaning. */
export const Icon = ({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) => (
	<svg className="icon" viewBox="0 0 16 16" width={size} height={size} aria-hidden="true" focusable="false">
		<path d={drawings[name]} />
	</svg>
);
