"use strict";
const root = document.documentElement;
const dark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
document.getElementById("theme").addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; });

// the values under the pointer, in every panel of the same seed
for (const seed of document.querySelectorAll(".seed")) {
  const plots = [...seed.querySelectorAll(".plot")].map((plot) => {
    const rule = plot.appendChild(document.createElement("i"));
    rule.className = "rule";
    return { plot, rule, output: plot.parentElement.querySelector("output"), lines: JSON.parse(plot.dataset.lines) };
  });
  const show = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const at = (event.clientX - box.left) / box.width;
    for (const { rule, output, lines } of plots) {
      const nearest = (points) => points.reduce((a, b) => (Math.abs(b[2] - at) < Math.abs(a[2] - at) ? b : a));
      const found = lines.filter((line) => line.points.length).map((line) => [line.name, nearest(line.points)]);
      if (!found.length) continue;
      rule.style.left = `${found[0][1][2] * 100}%`;
      rule.style.opacity = 1;
      output.textContent = `epoch ${found[0][1][0]}: ${found.map(([name, point]) => (found.length > 1 ? `${name} ${point[1]}` : point[1])).join(", ")}`;
    }
  };
  const hide = () => plots.forEach(({ rule, output }) => { rule.style.opacity = 0; output.textContent = ""; });
  for (const { plot } of plots) {
    plot.addEventListener("pointermove", show);
    plot.addEventListener("pointerleave", hide);
  }
}
