//! A Maven project around a test class.

use crate::test_class::WrittenClass;
use lapidary_java_workers::{Replay, junit_sources};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A Maven project that runs a test class.
pub struct TestProject<'a> {
    pub class: &'a WrittenClass,
    /// The classes that tests run with unless `-Dprogram` says otherwise, as Maven sees them.
    pub program: &'a str,
    /// The jar below the project that tests are compiled with.
    pub compiled_with: &'a Path,
    pub libraries: &'a [Library],
    /// The release of Java that the program was seen with.
    pub release: u32,
    pub readme: Readme<'a>,
}

/// A library of the program.
pub struct Library {
    /// Where tests find it when they run.
    pub place: String,
    /// The jar that tests are compiled with: absolute, or below the project.
    pub jar: PathBuf,
}

/// The words of a project's README.
pub struct Readme<'a> {
    /// The first line, without line breaks.
    pub title: &'a str,
    /// A sentence about the tests.
    pub about: &'a str,
    /// Commands that run the tests, each with what it does.
    pub commands: &'a [(&'a str, String)],
    /// Reasons for paths that have no test, with how many there are.
    pub skipped: &'a BTreeMap<String, u64>,
}

const JUNIT_VERSION: &str = "5.11.4";
const PLUGINS: [(&str, &str); 3] =
    [("maven-resources-plugin", "3.3.1"), ("maven-compiler-plugin", "3.13.0"), ("maven-surefire-plugin", "3.5.2")];

impl TestProject<'_> {
    /// All text files of the project.
    pub fn files(&self) -> BTreeMap<PathBuf, String> {
        let sources = Path::new("src/test/java");
        let mut files: BTreeMap<PathBuf, String> =
            junit_sources().map(|(path, text)| (sources.join(path), text.to_owned())).collect();
        files.insert(sources.join(&self.class.path), self.class.text.clone());
        files.insert("pom.xml".into(), self.pom());
        files.insert("README.md".into(), self.readme());
        files
    }

    fn pom(&self) -> String {
        let mut dependencies = dependency("org.junit.jupiter", "junit-jupiter", JUNIT_VERSION, "<scope>test</scope>");
        for (name, jar) in self.jars() {
            let jar = if jar.is_absolute() { jar } else { Path::new("${project.basedir}").join(jar) };
            let jar = xml(&jar.to_string_lossy());
            let place = format!("<scope>system</scope>\n      <systemPath>{jar}</systemPath>");
            dependencies.push_str(&dependency("lapidary.tests", &name, "1", &place));
        }
        let surefire = self.surefire();
        let plugin = |(name, version): &(&str, &str)| {
            let configuration = if name.contains("surefire") { surefire.as_str() } else { "" };
            format!(
                "      <plugin>\n        <artifactId>{name}</artifactId>\n        \
                 <version>{version}</version>\n{configuration}      </plugin>\n"
            )
        };
        let plugins: String = PLUGINS.iter().map(plugin).collect();
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <project xmlns=\"http://maven.apache.org/POM/4.0.0\">\n  \
             <modelVersion>4.0.0</modelVersion>\n  \
             <groupId>lapidary.tests</groupId>\n  <artifactId>found</artifactId>\n  <version>1</version>\n  \
             <properties>\n    <!-- The classes to test: a directory or a jar. -->\n    \
             <program>{}</program>\n    <maven.compiler.release>{}</maven.compiler.release>\n    \
             <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>\n  </properties>\n  \
             <dependencies>\n{dependencies}  </dependencies>\n  \
             <build>\n    <plugins>\n{plugins}    </plugins>\n  </build>\n</project>\n",
            xml(self.program),
            self.release
        )
    }

    /// The jars that tests are compiled with, with their names for Maven.
    fn jars(&self) -> Vec<(String, PathBuf)> {
        let libraries = self.libraries.iter().enumerate();
        let libraries = libraries.map(|(at, library)| (format!("library-{}", at + 1), library.jar.clone()));
        [("program".to_owned(), self.compiled_with.to_owned())].into_iter().chain(libraries).collect()
    }

    /// How tests run: without the jars that they were compiled with.
    fn surefire(&self) -> String {
        let exclude =
            |(name, _): &(String, PathBuf)| element("classpathDependencyExclude", &format!("lapidary.tests:{name}"));
        let excludes: String = self.jars().iter().map(exclude).collect();
        let places = ["${program}"].into_iter().chain(self.libraries.iter().map(|library| library.place.as_str()));
        let elements: String = places.map(|place| element("additionalClasspathElement", place)).collect();
        format!(
            "        <configuration>\n          <argLine>{}</argLine>\n          \
             <!-- Tests are compiled with copies of the classes, and run with the classes themselves. -->\n          \
             <classpathDependencyExcludes>\n{excludes}          </classpathDependencyExcludes>\n          \
             <additionalClasspathElements>\n{elements}          </additionalClasspathElements>\n        \
             </configuration>\n",
            Replay::JVM_OPTIONS.join(" ")
        )
    }

    fn readme(&self) -> String {
        let Readme { title, about, commands, skipped } = &self.readme;
        let command = |(command, what): &(&str, String)| format!("    {command}\n\n{}\n\n", plain(what));
        let commands: String = commands.iter().map(command).collect();
        let mut text = format!(
            "# {}\n\n{}\n\n{commands}`{}` is a copy of the classes that the tests are compiled with.\n\n\
             ## Copy a test into your own project\n\n\
             Copy the test method with its imports, and from `src/test/java/lapidary/replay` what it uses.\n\
             `Given` makes objects with given fields and calls private methods; it needs the other files\n\
             except `Printed` and `FreshClasses`. `Printed` catches output. `FreshClasses` gives each test\n\
             static fields with their initial values; without it, drop `@ExtendWith`. A test that calls\n\
             code of its package must stay in that package.\n",
            plain(title),
            plain(about),
            self.compiled_with.display()
        );
        if !skipped.is_empty() {
            text.push_str("\n## Without a test\n\n");
            text.extend(skipped.iter().map(|(reason, count)| format!("- {count}: {}\n", plain(reason))));
        }
        text
    }
}

fn dependency(group: &str, name: &str, version: &str, rest: &str) -> String {
    format!(
        "    <dependency>\n      <groupId>{group}</groupId>\n      <artifactId>{name}</artifactId>\n      \
         <version>{version}</version>\n      {rest}\n    </dependency>\n"
    )
}

fn element(name: &str, text: &str) -> String {
    format!("            <{name}>{}</{name}>\n", xml(text))
}

/// Text for an XML file, which cannot contain most control characters.
fn xml(text: &str) -> String {
    let mut shown = String::new();
    for character in text.chars() {
        match character {
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '"' => shown.push_str("&quot;"),
            _ if character.is_control() => shown.push('?'),
            _ => shown.push(character),
        }
    }
    shown
}

/// Text of a program that Markdown must not interpret.
fn plain(text: &str) -> String {
    let mut shown = String::new();
    for character in lapidary_symbolic::readable(text).chars() {
        if "\\`*_<>[]#|".contains(character) {
            shown.push('\\');
        }
        shown.push(character);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_leave_their_place() {
        assert_eq!(xml("a<b>&\"\u{1}"), "a&lt;b&gt;&amp;&quot;?");
        assert_eq!(plain("<i>_a_\n"), "\\<i\\>\\_a\\_\\\\n");
    }

    #[test]
    fn the_project_names_program_and_libraries() {
        let class = WrittenClass { path: "p/FTest.java".into(), text: "class".to_owned(), tests: 1, skipped: vec![] };
        let library = Library { place: "/lib/a&b.jar".to_owned(), jar: "/lib/a&b.jar".into() };
        let skipped = BTreeMap::from([("it exits".to_owned(), 2)]);
        let readme = Readme { title: "Tests", about: "Two.", commands: &[], skipped: &skipped };
        let project = TestProject {
            class: &class,
            program: "/app/classes",
            compiled_with: Path::new("lib/program.jar"),
            libraries: &[library],
            release: 21,
            readme,
        };
        let files = project.files();
        let pom = &files[Path::new("pom.xml")];
        for part in [
            "<program>/app/classes</program>",
            &format!("<argLine>{}</argLine>", Replay::JVM_OPTIONS.join(" ")),
            "<maven.compiler.release>21</maven.compiler.release>",
            "<systemPath>${project.basedir}/lib/program.jar</systemPath>",
            "<additionalClasspathElement>/lib/a&amp;b.jar</additionalClasspathElement>",
            "<classpathDependencyExclude>lapidary.tests:library-1</classpathDependencyExclude>",
        ] {
            assert!(pom.contains(part), "{part} in {pom}");
        }
        assert!(files[Path::new("README.md")].contains("- 2: it exits"));
        assert!(files.contains_key(Path::new("src/test/java/lapidary/replay/Given.java")));
        assert_eq!(files[Path::new("src/test/java/p/FTest.java")], "class");
    }
}
