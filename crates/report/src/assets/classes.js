// The classes of a comparison: a button moves a class between those that may change and those that
// must not, and the specification that says so can be saved.
(() => {
  const source = document.getElementById("specification-data");
  if (!source) return;
  const data = JSON.parse(source.dataset.json);
  const outermost = (name) => name.split("$")[0];
  const rule = (kind, names) =>
    names.length ? `\n[[${kind}]]\nclass = [${names.map((name) => JSON.stringify(name)).join(", ")}]\n` : "";

  // The specification with its rules as they are, but for the classes that were moved.
  const specification = () => {
    const moved = new Map(data.classes.filter((it) => it.affected !== it.was).map((it) => [it.name, it]));
    const stays = (name) => !moved.has(outermost(name));
    const kept = data.rules.map((it) => {
      if (!it.classes || it.classes.every(stays)) return it.text;
      const comments = it.text.split("\n").filter((line) => line.trim().startsWith("#"));
      return rule(it.kind, it.classes.filter(stays)) + comments.map((line) => line + "\n").join("");
    });
    const names = (affected) => [...moved.values()].filter((it) => it.affected === affected).map((it) => it.name);
    return data.head + kept.join("") + rule("changed", names(true)) + rule("unchanged", names(false));
  };

  const lists = {
    true: document.querySelector(".classes .affected ul"), false: document.querySelector(".classes .unaffected ul"),
  };
  const drawn = [...document.querySelectorAll(".class-graph .node")];
  const link = document.getElementById("specification");
  const update = () => { link.href = "data:text/plain;charset=utf-8," + encodeURIComponent(specification()); };
  for (const row of document.querySelectorAll(".classes li[data-class]")) {
    const it = data.classes[row.dataset.class];
    if (it.fixed) continue;
    const button = document.createElement("button");
    button.type = "button";
    const home = row.parentElement;
    const label = () => { button.textContent = it.affected ? "must not change" : "may change"; };
    button.addEventListener("click", () => {
      it.affected = !it.affected;
      const list = it.affected === it.was ? home : lists[it.affected];
      list.append(row);
      row.classList.toggle("moved", it.affected !== it.was);
      for (const node of drawn.filter((one) => one.dataset.name === it.name)) {
        node.classList.toggle("affected", it.affected);
        node.classList.toggle("unaffected", !it.affected);
      }
      label();
      update();
      button.focus();
    });
    label();
    row.append(button);
  }
  link.hidden = false;
  update();
})();
