export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const stored = "tollgate.theme";

export const theme = (): Theme => themes.find((one) => one === localStorage.getItem(stored)) ?? "system";

/** The chosen colour scheme. Without a choice the page follows the system. */
export function applyTheme(): void {
	document.documentElement.dataset.theme = theme();
}

export function chooseTheme(next: Theme): void {
	localStorage.setItem(stored, next);
	applyTheme();
}
