"""Builds a wheel without files. Any other build backend would be downloaded, which takes longer than the rest."""

import pathlib
import re
import zipfile


def build_wheel(directory, config_settings=None, metadata_directory=None):
    text = pathlib.Path("pyproject.toml").read_text()
    project, version, dependency = (
        re.search(pattern, text, re.M)[1]
        for pattern in ('^name = "(.*)"', '^version = "(.*)"', r'^dependencies = \["(.*)"\]')
    )
    name = f"{project.replace('-', '_')}-{version}"
    files = {
        "METADATA": f"Metadata-Version: 2.1\nName: {project}\nVersion: {version}\nRequires-Dist: {dependency}\n",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: utfconv\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files["RECORD"] = "".join(f"{name}.dist-info/{file},,\n" for file in [*files, "RECORD"])
    with zipfile.ZipFile(pathlib.Path(directory, f"{name}-py3-none-any.whl"), "w") as wheel:
        for file, content in files.items():
            wheel.writestr(f"{name}.dist-info/{file}", content)
    return f"{name}-py3-none-any.whl"
